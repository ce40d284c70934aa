package io.eldr.router.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.web.server.context.WebServerApplicationContext;

class GatewayDrainTest {
    private final GatewayMetrics metrics = new GatewayMetrics(new SimpleMeterRegistry());

    @Test
    void itWaitsForTheRequestsThatAreUnderWayAndStopsBeforeTheServer() {
        GatewayDrain drain = new GatewayDrain(metrics, Duration.ofMinutes(1));
        drain.start();
        metrics.began();
        Thread stopping = Thread.ofVirtual().start(drain::stop);
        await().until(() -> stopping.getState() == Thread.State.TIMED_WAITING);
        assertThat(drain.isRunning()).isTrue();

        metrics.ended("demo", GatewayMetrics.End.COMPLETED, 1);

        await().until(() -> !drain.isRunning());
        // The higher phase stops first.
        assertThat(drain.getPhase()).isGreaterThan(WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE);
    }

    @Test
    void itDoesNotWaitForEver() {
        GatewayDrain drain = new GatewayDrain(metrics, Duration.ofMillis(100));
        drain.start();
        metrics.began();

        drain.stop();

        assertThat(drain.isRunning()).isFalse();
    }
}
