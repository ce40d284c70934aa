package io.eldr.router.gateway;

import io.eldr.router.pool.Pool;
import io.eldr.router.pool.Pools;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Which pool serves the model that a client names: by an alias first, then by a pool's name, then by its model. */
@Component
final class Models {
    private final Pools pools;

    Models(Pools pools) {
        this.pools = pools;
    }

    /** @throws GatewayException if no pool serves it, or several do and nothing tells which is meant */
    Pool pool(String model) {
        Collection<Pool> all = pools.all();
        List<Pool> found = all.stream()
                .filter(pool -> pool.state().intent().aliases().contains(model))
                .toList();
        if (found.isEmpty()) {
            found = all.stream().filter(pool -> pool.name().equals(model)).toList();
        }
        if (found.isEmpty()) {
            found = all.stream()
                    .filter(pool -> pool.state().intent().model().name().equals(model))
                    .toList();
        }
        if (found.size() > 1) {
            throw GatewayException.invalid(
                    "model",
                    "The model is served by the pools "
                            + String.join(", ", found.stream().map(Pool::name).toList())
                            + "; name one of them or an alias of it.");
        }
        if (found.isEmpty()) {
            throw new GatewayException(
                    GatewayException.Kind.MODEL_NOT_FOUND, "The model does not exist here. GET /v1/models lists them.");
        }
        return found.getFirst();
    }

    /** The names that can be asked for, each with the pool that serves it. */
    Map<String, Pool> names() {
        Map<String, Pool> names = new LinkedHashMap<>();
        Map<String, Integer> sharing = new LinkedHashMap<>();
        for (Pool pool : pools.all()) {
            sharing.merge(pool.state().intent().model().name(), 1, Integer::sum);
        }
        for (Pool pool : pools.all()) {
            String model = pool.state().intent().model().name();
            names.putIfAbsent(Integer.valueOf(1).equals(sharing.get(model)) ? model : pool.name(), pool);
            pool.state().intent().aliases().forEach(alias -> names.putIfAbsent(alias, pool));
        }
        return names;
    }
}
