package io.eldr.router.policy;

import io.eldr.core.routing.PolicyName;
import io.eldr.core.routing.SwitchbackRule;
import io.eldr.router.pool.Pool;
import io.eldr.router.pool.Pools;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * The trials of the pools whose policies take turns. Each router measures the requests that it placed; none is kept over a
 * restart, or once a pool's rule changes.
 */
public final class Switchbacks implements TpotSink {

    private final Pools pools;
    private final InstantSource clock;
    private final InstantSource wallClock;
    private final RandomGenerator random;
    private final Map<String, SwitchbackTrial> trials = new ConcurrentHashMap<>();

    /**
     * @param clock by which reservations are opened
     * @param wallClock by which policies take turns
     */
    Switchbacks(Pools pools, InstantSource clock, InstantSource wallClock, RandomGenerator random) {
        this.pools = pools;
        this.clock = clock;
        this.wallClock = wallClock;
        this.random = random;
    }

    /**
     * A request ended just now, and whoever closed it says how fast it was.
     *
     * @param openedAt by the router's own clock
     */
    public void closed(String pool, PolicyName policy, Instant openedAt, double tpotMillis) {
        Instant now = wallClock.instant();
        Duration lasted = Duration.between(openedAt, clock.instant());
        trial(pool)
                .ifPresent(trial ->
                        trial.add(TpotSource.CLOSES, now.minus(lasted), now, Optional.of(policy), 1, tpotMillis));
    }

    @Override
    public void tpot(String pool, Instant from, Instant to, int requests, double millis) {
        trial(pool).ifPresent(trial -> trial.add(TpotSource.ENGINES, from, to, Optional.empty(), requests, millis));
    }

    /** The trial of a pool whose policies take turns now. */
    Optional<SwitchbackTrial> trial(String pool) {
        Optional<SwitchbackRule> rule = pools.find(pool)
                .map(Pool::state)
                .flatMap(state -> state.intent().switchback());
        if (rule.isEmpty()) {
            trials.remove(pool);
            return Optional.empty();
        }
        return Optional.of(trials.compute(
                pool,
                (name, before) -> before != null && before.rule().equals(rule.get())
                        ? before
                        : new SwitchbackTrial(rule.get(), wallClock.instant(), random)));
    }
}
