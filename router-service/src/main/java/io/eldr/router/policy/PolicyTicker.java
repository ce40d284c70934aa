package io.eldr.router.policy;

import io.eldr.router.pool.Pool;
import io.eldr.router.pool.Pools;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Does what is due by the clock and not by a request: turns of policies, looking for decoders that starve, figures. */
final class PolicyTicker implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(PolicyTicker.class);
    private static final Duration INTERVAL = Duration.ofMillis(250);

    private final Pools pools;
    private final PolicyMeters meters;
    private final InstantSource clock;
    private volatile Thread thread = Thread.ofVirtual().unstarted(() -> {});

    PolicyTicker(Pools pools, PolicyMeters meters, InstantSource clock) {
        this.pools = pools;
        this.meters = meters;
        this.clock = clock;
    }

    @Override
    public void start() {
        thread = Thread.ofVirtual().name("policy-ticker").start(this::run);
    }

    @Override
    public void stop() {
        thread.interrupt();
    }

    @Override
    public boolean isRunning() {
        return thread.isAlive();
    }

    private void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                tick();
                Thread.sleep(INTERVAL);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void tick() {
        for (Pool pool : pools.all()) {
            try {
                pool.tick(clock.instant());
            } catch (RuntimeException e) {
                log.error("Pool {} could not be looked after; trying again", pool.name(), e);
            }
        }
        try {
            meters.update(pools.all());
        } catch (RuntimeException e) {
            log.error("Figures of policies could not be shown; trying again", e);
        }
    }
}
