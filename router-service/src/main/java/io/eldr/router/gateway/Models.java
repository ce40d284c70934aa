package io.eldr.router.gateway;

import io.eldr.router.engine.EngineDialect;
import io.eldr.router.engine.PrefillFirstDialect;
import io.eldr.router.engine.PullDialect;
import io.eldr.router.intent.EngineIntent;
import io.eldr.router.intent.PoolIntent;
import io.eldr.router.pool.Pool;
import io.eldr.router.pool.Pools;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.springframework.stereotype.Component;

/** Which pool serves a model: by alias or adapter first, then by a pool's name, then by its model. */
@Component
final class Models {
    private static final EngineDialect PULL = new PullDialect();
    private static final EngineDialect PREFILL_FIRST = new PrefillFirstDialect();

    private final Pools pools;

    Models(Pools pools) {
        this.pools = pools;
    }

    /**
     * Who serves a request.
     *
     * @param engineModel what the engines call what the client asked for; empty: by the same name
     */
    record Served(Pool pool, EngineDialect dialect, Optional<String> engineModel) {}

    /** @throws GatewayException if no pool serves it, or several do and nothing tells which is meant */
    Served serving(String model) {
        Pool pool = pool(model);
        EngineIntent engines = pool.state().intent().engines();
        EngineDialect dialect = switch (engines.dialect()) {
            case VLLM -> PULL;
            case PREFILL_FIRST -> PREFILL_FIRST;
        };
        // An adapter has no other name than its own.
        boolean adapter = engines.adapters().contains(model);
        return new Served(pool, dialect, engines.model().filter(name -> !adapter && !name.equals(model)));
    }

    private Pool pool(String model) {
        Collection<Pool> all = pools.all();
        List<Pool> found = of(
                all,
                intent -> intent.aliases().contains(model)
                        || intent.engines().adapters().contains(model));
        if (found.isEmpty()) {
            found = of(all, intent -> intent.name().equals(model));
        }
        if (found.isEmpty()) {
            found = of(all, intent -> intent.model().name().equals(model));
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
                    GatewayException.Kind.MODEL_NOT_FOUND,
                    Optional.of("model"),
                    "The model does not exist here. GET /v1/models lists them.");
        }
        return found.getFirst();
    }

    private static List<Pool> of(Collection<Pool> all, Predicate<PoolIntent> named) {
        List<Pool> found = new ArrayList<>(1);
        for (Pool pool : all) {
            if (named.test(pool.state().intent())) {
                found.add(pool);
            }
        }
        return found;
    }

    /** The names that can be asked for, each with the pool that serves it. */
    Map<String, Pool> names() {
        Map<String, Pool> names = new LinkedHashMap<>();
        Map<String, Integer> sharing = new LinkedHashMap<>();
        for (Pool pool : pools.all()) {
            sharing.merge(pool.state().intent().model().name(), 1, Integer::sum);
        }
        for (Pool pool : pools.all()) {
            PoolIntent intent = pool.state().intent();
            String model = intent.model().name();
            names.putIfAbsent(Integer.valueOf(1).equals(sharing.get(model)) ? model : pool.name(), pool);
            intent.aliases().forEach(alias -> names.putIfAbsent(alias, pool));
            intent.engines().adapters().forEach(adapter -> names.putIfAbsent(adapter, pool));
        }
        return names;
    }
}
