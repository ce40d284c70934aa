package io.eldr.router.telemetry;

import static io.eldr.router.testing.SharedRouter.REGISTRY;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.core.signature.EldrSigForm;
import io.eldr.router.testing.Fixtures;
import io.eldr.router.testing.SharedRouter;
import io.eldr.router.testing.TestRouter.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the management port shows. */
class MetricsTest {

    /** Ten thousand made-up names. */
    private static final int REQUESTS = 1_000;

    private static final int NAMES = 10;

    @Test
    void healthAndMetricsAreOpenThere() throws Exception {
        assertThat(management("/actuator/health").statusCode()).isEqualTo(200);
        assertThat(management("/actuator/prometheus").statusCode()).isEqualTo(200);
        assertThat(management("/actuator/env").statusCode()).isNotEqualTo(200);
    }

    @Test
    void decisionsAndReservationsAreCounted() throws Exception {
        SharedRouter.servingPool("measured", 2);
        for (int i = 0; i < 3; i++) {
            ROUTER.post(
                    "/v1/route",
                    body(
                            "measured",
                            "m" + i,
                            "signature",
                            Map.of("eldr_sig", EldrSigForm.write(Fixtures.counts(i, 5)))));
        }
        assertThat(value("eldr_router_reservations_open{pool=\"measured\"}")).isEqualTo(3);
        assertThat(value("eldr_router_reservations_opened_total{pool=\"measured\"}"))
                .isEqualTo(3);
        assertThat(value("eldr_router_generation{pool=\"measured\"}")).isEqualTo(1);
        assertThat(value("eldr_router_degraded{pool=\"measured\"}")).isZero();
        assertThat(value("eldr_router_artifact_age_seconds{pool=\"measured\"}")).isBetween(0.0, 3_600.0);
        assertThat(management("/actuator/prometheus").body())
                .contains("eldr_router_decision_seconds_bucket")
                .containsPattern("eldr_router_decision_seconds_count\\{policy=\"eldr\",pool=\"measured\"");
        assertThat(value("eldr_router_similarity_count{pool=\"measured\"}")).isEqualTo(3);
        assertThat(value("eldr_router_band_size_sum{pool=\"measured\"}")).isBetween(3.0, 6.0);
        assertThat(Math.max(0, value("eldr_router_decoder_decisions_total{pool=\"measured\",slot=\"decoder-0\"}"))
                        + Math.max(
                                0, value("eldr_router_decoder_decisions_total{pool=\"measured\",slot=\"decoder-1\"}")))
                .isEqualTo(3);
        String id = ROUTER.post("/v1/route", body("measured", "m0"))
                .json()
                .at("/reservation/id")
                .asString();
        ROUTER.delete("/v1/reservations/" + id + "?outcome=aborted");
        assertThat(value("eldr_router_reservations_closed_total{outcome=\"aborted\",pool=\"measured\"}"))
                .isEqualTo(1);
        assertThat(value("eldr_router_reservations_open{pool=\"measured\"}")).isEqualTo(2);
        Answer moving = ROUTER.post("/v1/route", body("measured", "moving"));
        ROUTER.post(
                "/v1/reservations/" + moving.json().at("/reservation/id").asString() + "/reassign",
                Map.of("failed", moving.json().at("/decoder/id").asString()));
        assertThat(value("eldr_router_reservations_closed_total{outcome=\"decoderFailed\",pool=\"measured\"}"))
                .isEqualTo(1);
        assertThat(value("eldr_router_reservations_opened_total{pool=\"measured\"}"))
                .isEqualTo(5);
        assertThat(value("eldr_router_reservations_open{pool=\"measured\"}")).isEqualTo(3);
        assertThat(value("eldr_router_decoder_in_flight{pool=\"measured\",slot=\"decoder-0\"}")
                        + value("eldr_router_decoder_in_flight{pool=\"measured\",slot=\"decoder-1\"}"))
                .isEqualTo(3);
        assertThat(value("eldr_router_decoder_engine_requests{pool=\"measured\",slot=\"decoder-0\"}"))
                .isNaN();
        ROUTER.post("/v1/route", body("measured", "none", "exclude", List.of("decoder-0", "decoder-1")));
        assertThat(value("eldr_router_reservations_refused_total{pool=\"measured\",reason=\"no-decoder\"}"))
                .isEqualTo(1);

        REGISTRY.activate("measured", 1);
        await().until(() -> value("eldr_router_generation{pool=\"measured\"}") == 2);
        REGISTRY.set("measured", "deleted_at", java.sql.Timestamp.from(java.time.Instant.now()));
        await().until(() -> !management("/actuator/prometheus").body().contains("measured"));
    }

    @Test
    void whatClientsSendMakesNoSeries() throws Exception {
        long before = management("/actuator/prometheus").body().lines().count();
        SharedRouter.servingPool("named", 2);
        try (ExecutorService clients = Executors.newFixedThreadPool(16)) {
            for (int i = 0; i < REQUESTS; i++) {
                List<String> made = IntStream.range(i * NAMES, (i + 1) * NAMES)
                        .mapToObj(name -> "made-up-" + name)
                        .toList();
                boolean knownPool = i % 10 != 0;
                clients.execute(() -> ROUTER.post(
                        "/v1/route",
                        body(
                                knownPool ? "named" : made.get(0),
                                made.get(1),
                                "label",
                                "label-" + made.get(2),
                                "exclude",
                                made.subList(3, NAMES))));
                clients.execute(() -> ROUTER.post(
                        "/v1/completions",
                        Map.of("model", "made-up-model-" + made.get(0), "prompt", "hello", "user", made.get(1))));
                if (!knownPool) {
                    clients.execute(() -> ROUTER.get("/v1/pools/" + made.get(0) + "/decoders"));
                    clients.execute(() -> ROUTER.delete("/v1/reservations/" + made.get(1) + ".0123456789abcdef"));
                    clients.execute(() -> ROUTER.get("/made/up/" + made.get(2)));
                }
            }
        }
        String after = management("/actuator/prometheus").body();
        assertThat(after).doesNotContain("made-up", "made/up", "label-");
        assertThat(after.lines().count()).isLessThan(before + 150);
    }

    /** What each label of our own series may be; pools and slots are those that exist. */
    private static final Map<String, String> LABELS = Map.ofEntries(
            Map.entry("pool", ".*"),
            Map.entry("slot", ".*"),
            Map.entry("le", "[0-9.eE+-]+|\\+Inf"),
            Map.entry("policy", "eldr|domain|jsq|p2c|random|round-robin|union"),
            Map.entry("shadow", "eldr|domain|jsq|p2c|random|round-robin|union"),
            Map.entry("reason", "[a-z0-9-]{2,24}"),
            Map.entry("outcome", "completed|aborted|clientError|decoderFailed|timeout"),
            Map.entry("result", "answered|owner-gone|taken|refused|dropped|unfit"),
            Map.entry("stage", "prefill|handoff|first-byte|total"),
            Map.entry("end", "completed|client-error|engine-error|gateway-error|aborted|broken-off"),
            Map.entry("cause", "[a-z-]{4,24}"),
            Map.entry("state", "[a-z-]{3,12}"));

    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    @Test
    void everyLabelIsOfAClosedSet() throws Exception {
        SharedRouter.servingPool("labelled", 1);
        ROUTER.post("/v1/route", body("labelled", "l", "label", "a label of a client"));
        List<String> ours = management("/actuator/prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith("eldr_"))
                .toList();
        assertThat(ours).hasSizeGreaterThan(20);
        for (String line : ours) {
            Matcher label = LABEL.matcher(line);
            while (label.find()) {
                assertThat(LABELS).as(line).containsKey(label.group(1));
                assertThat(label.group(2)).as(line).matches(LABELS.get(label.group(1)));
            }
        }
    }

    private static double value(String series) throws Exception {
        return management("/actuator/prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith(series))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElse(-1);
    }

    private static HttpResponse<String> management(String path) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ROUTER.managementPort() + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }
}
