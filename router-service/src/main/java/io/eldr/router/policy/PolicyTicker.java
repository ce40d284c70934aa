package io.eldr.router.policy;

import io.eldr.router.pool.Pool;
import io.eldr.router.pool.Pools;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what is due by the clock and not by a request: turns of policies, looking for decoders that starve, figures. */
final class PolicyTicker {

    static final Duration INTERVAL = Duration.ofMillis(250);

    private static final Logger log = LoggerFactory.getLogger(PolicyTicker.class);

    private final Pools pools;
    private final PolicyMeters meters;
    private final EngineTpots tpots;
    private final InstantSource clock;

    PolicyTicker(Pools pools, PolicyMeters meters, EngineTpots tpots, InstantSource clock) {
        this.pools = pools;
        this.meters = meters;
        this.tpots = tpots;
        this.clock = clock;
    }

    void tick() {
        for (Pool pool : pools.all()) {
            try {
                pool.tick(clock.instant());
            } catch (RuntimeException e) {
                log.error("Pool {} could not be looked after; trying again", pool.name(), e);
            }
        }
        tpots.look(pools.all());
        meters.update(pools.all());
    }
}
