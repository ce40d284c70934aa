package io.eldr.router.topology;

import io.eldr.core.routing.ActiveArtifact;
import io.eldr.router.calibration.CalibrationClient;
import io.eldr.router.discovery.KnownWorker;
import io.eldr.router.intent.WorkerIntent;
import io.eldr.router.pool.Pool;
import io.eldr.router.pool.Pools;
import io.eldr.router.pool.ServedState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for a refit of a pool where a decoder had to borrow another's centroid: once for a set of decoders, after it has
 * settled, and with growing pauses until the calibration service takes it.
 */
final class TopologyRefits {
    private static final Logger log = LoggerFactory.getLogger(TopologyRefits.class);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(15);
    /** Pools whose decoders come and go between a few sets are not refitted for each turn. */
    private static final int REMEMBERED = 16;

    private final Pools pools;
    private final CalibrationClient calibration;
    private final Duration settle;
    private final InstantSource clock;
    private final Map<String, Watch> watches = new HashMap<>();

    TopologyRefits(Pools pools, CalibrationClient calibration, Duration settle, InstantSource clock) {
        this.pools = pools;
        this.calibration = calibration;
        this.settle = settle;
        this.clock = clock;
    }

    private record Wish(String trigger) {}

    /** The decoders of one pool: those now, since when, and the sets for which a refit was asked. */
    private static final class Watch {
        private final LinkedHashSet<Set<String>> asked = new LinkedHashSet<>();
        private Set<String> decoders = Set.of();
        private Instant notBefore = Instant.EPOCH;
        private Duration pause = Duration.ZERO;
    }

    /** Looks at every pool once. Called by one thread at a time. */
    void look() throws InterruptedException {
        Set<String> served = new HashSet<>();
        for (Pool pool : pools.all()) {
            served.add(pool.name());
            look(pool.name(), pool.state());
        }
        watches.keySet().retainAll(served);
    }

    private void look(String pool, ServedState state) throws InterruptedException {
        List<String> borrowers = state.active()
                .map(ActiveArtifact::binding)
                .map(binding -> binding.borrowers())
                .orElse(List.of());
        @Nullable Watch known = watches.get(pool);
        if (borrowers.isEmpty() && known == null) {
            return;
        }
        Watch watch = watches.computeIfAbsent(pool, name -> new Watch());
        Set<String> decoders = decoders(state);
        Instant now = clock.instant();
        if (!decoders.equals(watch.decoders)) {
            watch.decoders = decoders;
            watch.pause = settle;
            watch.notBefore = now.plus(settle);
        }
        if (!borrowers.isEmpty() && !watch.asked.contains(decoders) && !now.isBefore(watch.notBefore)) {
            ask(pool, borrowers, watch, now);
        }
    }

    private void ask(String pool, List<String> borrowers, Watch watch, Instant now) throws InterruptedException {
        CalibrationClient.Answer answer = calibration.post("/v1/pools/" + pool + "/refits", new Wish("topology"));
        if (answer instanceof CalibrationClient.Taken) {
            log.info("Asked for a refit of pool {}: {} share other decoders' clusters", pool, borrowers);
            remember(watch);
        } else {
            watch.notBefore = now.plus(watch.pause);
            watch.pause = shorter(watch.pause.multipliedBy(2), LONGEST_PAUSE);
        }
    }

    private static void remember(Watch watch) {
        watch.asked.add(watch.decoders);
        if (watch.asked.size() > REMEMBERED) {
            watch.asked.removeFirst();
        }
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    private static Set<String> decoders(ServedState state) {
        Set<String> decoders = new HashSet<>();
        for (KnownWorker known : state.workers()) {
            WorkerIntent worker = known.worker();
            if (worker.role() == WorkerIntent.Role.DECODE) {
                decoders.add(worker.slot());
            }
        }
        return Set.copyOf(decoders);
    }
}
