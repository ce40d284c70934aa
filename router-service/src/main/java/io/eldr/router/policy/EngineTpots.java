package io.eldr.router.policy;

import io.eldr.core.load.Incarnation;
import io.eldr.core.routing.SwitchbackRule;
import io.eldr.router.pool.Pool;
import io.eldr.router.pool.ServedState;
import io.eldr.router.pool.WorkerView;
import io.eldr.router.worker.EngineSnapshot;
import io.eldr.router.worker.TokenTimes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Tells a trial how long tokens took by what the engines' histograms grew between two readings. What an engine counted
 * before it was first read says nothing, neither does a count that fell, after a restart: both are where the next
 * difference starts. Another incarnation is another engine.
 *
 * <p>A histogram says when requests ended, not when they began: they are taken to have begun a washout before the earlier
 * reading, so that engines' times count from two washouts into a window on.
 */
final class EngineTpots {
    /** More in one interval is no engine's work. */
    private static final double MOST_REQUESTS = 10_000;

    private static final double MILLIS = 1_000;

    private final Function<Incarnation, Optional<EngineSnapshot>> engines;
    private final TpotSink sink;
    private final InstantSource clock;
    private final InstantSource wallClock;
    private Map<Incarnation, Reading> before = new HashMap<>();

    private record Reading(Instant askedAt, TokenTimes times) {}

    /**
     * @param engines the newest reading of an engine
     * @param clock by which engines are read
     * @param wallClock by which policies take turns
     */
    EngineTpots(
            Function<Incarnation, Optional<EngineSnapshot>> engines,
            TpotSink sink,
            InstantSource clock,
            InstantSource wallClock) {
        this.engines = engines;
        this.sink = sink;
        this.clock = clock;
        this.wallClock = wallClock;
    }

    /** Takes in what is new. Called by one thread at a time, more often than engines are read. */
    void look(Collection<Pool> pools) {
        Map<Incarnation, Reading> now = new HashMap<>();
        for (Pool pool : pools) {
            ServedState state = pool.state();
            state.intent().switchback().ifPresent(rule -> look(pool.name(), state, rule, now));
        }
        before = now;
    }

    private void look(String pool, ServedState state, SwitchbackRule rule, Map<Incarnation, Reading> now) {
        for (WorkerView decoder : state.decoders()) {
            Incarnation incarnation = decoder.incarnation();
            Optional<Reading> earlier = Optional.ofNullable(before.get(incarnation));
            Optional<Reading> newest = engines.apply(incarnation)
                    .flatMap(said -> said.load().tokenTimes().map(times -> new Reading(said.askedAt(), times)));
            newest.or(() -> earlier).ifPresent(reading -> now.put(incarnation, reading));
            if (earlier.isPresent() && newest.isPresent()) {
                tell(pool, rule, earlier.get(), newest.get());
            }
        }
    }

    private void tell(String pool, SwitchbackRule rule, Reading earlier, Reading newest) {
        double requests = newest.times().requests() - earlier.times().requests();
        double seconds = newest.times().seconds() - earlier.times().seconds();
        if (requests >= 1 && requests <= MOST_REQUESTS && seconds > 0) {
            Instant to = wallClock.instant();
            Instant from = to.minus(Duration.between(earlier.askedAt(), clock.instant()))
                    .minus(rule.washout());
            sink.tpot(pool, from, to, (int) Math.round(requests), seconds / requests * MILLIS);
        }
    }
}
