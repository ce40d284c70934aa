package io.eldr.calibration.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import io.eldr.db.testing.TestPostgres;
import io.eldr.service.testing.Monitoring;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MetricsTest {
    @Test
    void countsAndTimesWithoutSeriesThatCallersCouldMake() {
        try (TestServer server = TestServer.start(TestPostgres.freshDatabase())) {
            ApiClient admin = server.as(TestToken.ADMIN);
            TestPool pool = TestPool.create(server).withDecoders(2).withSamples(40);
            pool.withSamples(10);
            admin.postSamples(pool.name(), "nonsense").expect(400);
            admin.refit(pool.name(), "{}");
            admin.refit(pool.name(), "{}");
            admin.refit(pool.name(), "{\"force\":true}");
            admin.post(pool.path() + "/rollback", "").expect(201);
            // A refit counts a moment after its end can be seen.
            await().untilAsserted(() -> assertThat(lines(server))
                    .contains(
                            "eldr_samples_total{outcome=\"accepted\"} 40.0",
                            "eldr_samples_total{outcome=\"duplicate\"} 10.0",
                            "eldr_samples_total{outcome=\"refused\"} 1.0",
                            "eldr_refits_seconds_count{outcome=\"succeeded\",trigger=\"manual\"} 2",
                            "eldr_refits_seconds_count{outcome=\"rejected\",trigger=\"manual\"} 1",
                            "eldr_refits_gate_total{judged_on=\"test-part\",outcome=\"passed\"} 2.0",
                            "eldr_artifacts_published_total{origin=\"refit\"} 2.0",
                            "eldr_activations_total{kind=\"activate\"} 2.0",
                            "eldr_activations_total{kind=\"rollback\"} 1.0"));
            // The server shares no traffic with others: what would need a day is made to happen.
            CalibrationMetrics metrics = server.bean(CalibrationMetrics.class);
            metrics.deletedSamples(CalibrationMetrics.Deletion.AGE, 1);
            assertThat(Monitoring.missing(
                            Set.of(
                                    "eldr_refits_",
                                    "eldr_samples_",
                                    "eldr_artifacts_",
                                    "eldr_activations_",
                                    "hikaricp_",
                                    "http_server_",
                                    "jvm_",
                                    "process_"),
                            page(server)))
                    .isEmpty();
            long series = lines(server).size();
            for (int i = 0; i < 50; i++) {
                admin.get("/v1/pools/random-" + i).expect(404);
                admin.get("/random-" + i).expect(403);
                admin.get("/v1/random-" + i).expect(404);
            }
            assertThat(lines(server).size()).isLessThan((int) series + 40);
            assertThat(String.join("\n", lines(server))).doesNotContain("random-");
        }
    }

    @Test
    void thePageIsAsPrometheusWantsIt() throws Exception {
        Optional<List<String>> flaws = Monitoring.flaws(page(TestServer.shared()));
        assumeTrue(flaws.isPresent(), "promtool is not installed (Debian's package prometheus)");
        assertThat(flaws.orElseThrow()).isEmpty();
    }

    private static String page(TestServer server) {
        URI uri = URI.create("http://127.0.0.1:" + server.managementPort() + "/actuator/prometheus");
        byte[] body = ApiClient.send(HttpRequest.newBuilder(uri))
                .expect(200)
                .response()
                .body();
        return new String(body, StandardCharsets.UTF_8);
    }

    private static List<String> lines(TestServer server) {
        return page(server).lines().filter(line -> !line.startsWith("#")).toList();
    }
}
