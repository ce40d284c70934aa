package io.eldr.admin.live;

import io.eldr.admin.live.CalibrationAnswers.Router;
import io.eldr.admin.live.LiveState.Nack;
import io.eldr.admin.live.LiveState.PoolState;
import io.eldr.admin.live.LiveState.RouterPool;
import io.eldr.admin.live.LiveState.RouterState;
import io.eldr.admin.upstream.RouterAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Puts the answers of all services together. Keeps what rates are made of; used by one thread. */
final class Assembly {
    private final double intervalSeconds;
    private final Map<String, PoolMerge> merges = new HashMap<>();

    Assembly(Duration interval) {
        this.intervalSeconds = interval.toMillis() / 1_000.0;
    }

    LiveState state(
            long sequence,
            Instant now,
            Part.Reading<List<Router>> calibration,
            Map<RouterAddress, Part.Reading<RouterReading>> routers) {
        Map<String, List<PoolMerge.View>> byPool = new TreeMap<>();
        routers.forEach((address, reading) -> reading.value()
                .ifPresent(value -> value.pools()
                        .forEach(pool -> byPool.computeIfAbsent(pool.pool().name(), _ -> new ArrayList<>())
                                .add(new PoolMerge.View(
                                        address.instance(),
                                        pool,
                                        reading.health(),
                                        reading.at().orElse(now))))));
        merges.keySet().retainAll(byPool.keySet());
        List<PoolState> pools = byPool.entrySet().stream()
                .map(entry -> merges.computeIfAbsent(entry.getKey(), _ -> new PoolMerge())
                        .merge(entry.getKey(), entry.getValue()))
                .toList();
        Map<String, Long> newest = pools.stream().collect(Collectors.toMap(PoolState::name, PoolState::generation));
        Map<String, Router> known = calibration.value().orElse(List.of()).stream()
                .collect(Collectors.toMap(Router::id, Function.identity(), (first, _) -> first));
        List<RouterState> states = routers.entrySet().stream()
                .map(entry -> router(entry.getKey(), entry.getValue(), known, newest))
                .toList();
        return new LiveState(sequence, now, intervalSeconds, calibration.health(), states, pools);
    }

    private static RouterState router(
            RouterAddress address,
            Part.Reading<RouterReading> reading,
            Map<String, Router> known,
            Map<String, Long> newest) {
        Optional<Router> registered = Optional.ofNullable(known.get(address.instance()));
        List<RouterPool> pools = reading.value().map(RouterReading::pools).orElse(List.of()).stream()
                .map(pool -> new RouterPool(
                        pool.pool().name(),
                        pool.pool().generation(),
                        pool.pool().artifactVersion(),
                        pool.detail().policy(),
                        pool.pool().generation()
                                < newest.getOrDefault(pool.pool().name(), 0L),
                        registered.flatMap(router -> nack(router, pool.pool().name()))))
                .toList();
        return new RouterState(
                address.instance(),
                address.url().toString(),
                reading.health(),
                registered.map(Router::startedAt),
                registered.map(Router::lastSeen),
                pools);
    }

    private static Optional<Nack> nack(Router router, String pool) {
        return router.pools().stream()
                .filter(status -> status.pool().equals(pool))
                .flatMap(status -> status.nack().stream())
                .map(refusal -> new Nack(refusal.generation(), refusal.reason()))
                .findFirst();
    }
}
