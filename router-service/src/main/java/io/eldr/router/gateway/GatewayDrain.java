package io.eldr.router.gateway;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Lets requests that are under way come to their end before the server stops: the server itself waits only for those of the
 * framework. New ones are still served meanwhile, since what is in front of this router may not know yet that it goes.
 */
@Component
final class GatewayDrain implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(GatewayDrain.class);
    private static final long LOOK_MILLIS = 50;

    private final GatewayMetrics metrics;
    private final Duration patience;
    private volatile boolean running;

    GatewayDrain(
            GatewayMetrics metrics, @Value("${spring.lifecycle.timeout-per-shutdown-phase:30s}") Duration patience) {
        this.metrics = metrics;
        this.patience = patience;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        long deadline = System.nanoTime() + patience.toNanos();
        int waitingFor = metrics.active();
        if (waitingFor > 0) {
            log.info("{} requests are under way in the gateway; waiting for them to end", waitingFor);
        }
        try {
            while (metrics.active() > 0 && System.nanoTime() < deadline) {
                Thread.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (metrics.active() > 0) {
            log.warn("{} requests of the gateway had not ended after {} and are cut off", metrics.active(), patience);
        }
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Before the server's own graceful stop. */
    @Override
    public int getPhase() {
        return WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE + 1;
    }
}
