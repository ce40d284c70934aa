package io.eldr.router.gateway;

import static io.eldr.router.testing.SharedRouter.REGISTRY;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eldr.router.engine.PromptSignature;
import io.eldr.router.testing.SharedRouter;
import io.eldr.service.testing.Monitoring;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What the chart's dashboards and alerts ask a router for is there. */
class MonitoredMetricsTest {
    private static final String POOL = "monitored";

    @Test
    void everyMetricAndLabelOfDashboardsAndAlertsIsOnThePage() throws Exception {
        SharedRouter.servingPool(POOL, 2);
        REGISTRY.set(POOL, "shadow_policy", "p2c");
        REGISTRY.jdbc()
                .sql("update pool set switchback_first = 'eldr', switchback_second = 'jsq', switchback_minutes = 1440"
                        + " where name = :pool")
                .param("pool", POOL)
                .update();
        String id = ROUTER.post("/v1/route", body(POOL, "m"))
                .json()
                .at("/reservation/id")
                .asString();
        ROUTER.post(
                "/v1/reservations/" + id + "/close", Map.of("outcome", "completed", "decodeTokens", 5, "tpotMs", 20.0));
        useEveryMeterOfTheGateway();
        Set<String> own = Set.of("eldr_router_", "eldr_gateway_", "process_");
        AtomicInteger decisions = new AtomicInteger();
        await().untilAsserted(() -> {
            // A trial begins with the first decision after it was asked for; of a request that is open none is made.
            ROUTER.post("/v1/route", body(POOL, "during the trial " + decisions.incrementAndGet()));
            assertThat(Monitoring.missing(own, page())).as("missing").isEmpty();
        });
    }

    @Test
    void thePageIsAsPrometheusWantsIt() throws Exception {
        useEveryMeterOfTheGateway();
        Optional<List<String>> flaws = Monitoring.flaws(page());
        assumeTrue(flaws.isPresent(), "promtool is not installed (Debian's package prometheus)");
        assertThat(flaws.orElseThrow()).isEmpty();
    }

    private static void useEveryMeterOfTheGateway() {
        GatewayMetrics gateway = ROUTER.bean(GatewayMetrics.class);
        gateway.began();
        gateway.ended(POOL, GatewayMetrics.End.ENGINE_ERROR, 1_000);
        gateway.retried(POOL, GatewayMetrics.Retry.DECODE_BROKEN);
        gateway.signature(POOL, new PromptSignature.Missing());
        gateway.abandoned(POOL);
        gateway.released(POOL);
    }

    private static String page() throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                            HttpRequest.newBuilder(URI.create(
                                            "http://127.0.0.1:" + ROUTER.managementPort() + "/actuator/prometheus"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }
}
