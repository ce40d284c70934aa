package io.eldr.router.gateway;

import io.eldr.core.load.ReservationId;
import io.eldr.router.route.Placements;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Keeps the reservations of streams that last longer than a lease. One thread looks after all of them. */
@Component
final class Renewals implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(Renewals.class);
    /** Each is renewed twice before its lease would end. */
    private static final Duration INTERVAL = Duration.ofSeconds(Placements.LEASE_SECONDS / 3);

    private final Placements placements;
    private final Set<ReservationId> streaming = ConcurrentHashMap.newKeySet();
    private volatile Thread thread = Thread.ofVirtual().unstarted(() -> {});

    Renewals(Placements placements) {
        this.placements = placements;
    }

    void begin(ReservationId reservation) {
        streaming.add(reservation);
    }

    void end(ReservationId reservation) {
        streaming.remove(reservation);
    }

    @Override
    public void start() {
        thread = Thread.ofVirtual().name("stream-renewals").start(this::run);
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
                Thread.sleep(INTERVAL);
                streaming.forEach(placements::renew);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                log.error("Streams' reservations could not be renewed; trying again", e);
            }
        }
    }
}
