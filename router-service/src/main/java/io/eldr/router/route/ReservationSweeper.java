package io.eldr.router.route;

import io.eldr.core.load.Reservations;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Ends reservations whose lease has ended, on a thread of its own. */
final class ReservationSweeper implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(ReservationSweeper.class);
    private static final Duration INTERVAL = Duration.ofMillis(250);

    private final Reservations<DecisionRecord> reservations;
    private final InstantSource clock;
    private volatile Thread thread = Thread.ofVirtual().unstarted(() -> {});

    ReservationSweeper(Reservations<DecisionRecord> reservations, InstantSource clock) {
        this.reservations = reservations;
        this.clock = clock;
    }

    @Override
    public void start() {
        thread = Thread.ofVirtual().name("reservation-sweeper").start(this::run);
    }

    @Override
    public void stop() {
        thread.interrupt();
    }

    @Override
    public boolean isRunning() {
        return thread.isAlive();
    }

    private void sweep() {
        try {
            int expired = reservations.expire(clock.instant());
            if (expired > 0) {
                log.debug("The leases of {} reservations ended", expired);
            }
        } catch (RuntimeException e) {
            log.error("Expired reservations could not be ended; trying again", e);
        }
    }

    private void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                sweep();
                Thread.sleep(INTERVAL);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
