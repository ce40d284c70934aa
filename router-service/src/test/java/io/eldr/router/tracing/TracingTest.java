package io.eldr.router.tracing;

import static io.eldr.router.testing.SharedRouter.DATABASE;
import static io.eldr.router.testing.SharedRouter.REGISTRY;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.router.testing.FakeCalibration;
import io.eldr.router.testing.FakeEngine;
import io.eldr.router.testing.Fixtures;
import io.eldr.router.testing.JsonLines;
import io.eldr.router.testing.SharedRouter;
import io.eldr.router.testing.TestRouter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Traces through both engines, to a collector that writes down what it gets. */
class TracingTest {
    private static final String POOL = "traced";
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String CALLER = "00f067aa0ba902b7";
    private static final String TRACEPARENT = "00-" + TRACE + "-" + CALLER + "-01";
    private static final String PREFILLED = """
        {"id":"x","choices":[{"index":0,"text":" a","finish_reason":"length"}],
         "usage":{"prompt_tokens":10},"kv_transfer_params":{"remote_engine_id":"5a0f"}}\
        """;

    private static FakeEngine prefill;
    private static FakeEngine decode;
    private static FakeCalibration collector;
    private static TestRouter traced;

    @BeforeAll
    static void serve() {
        prefill = new FakeEngine(seen -> FakeEngine.json(200, PREFILLED));
        decode = new FakeEngine(seen -> FakeEngine.tokens(2, Duration.ZERO));
        REGISTRY.pool(POOL);
        REGISTRY.prefiller(POOL, "prefill-0", prefill.url(), "none");
        REGISTRY.worker(POOL, "decoder-0", decode.url(), "none");
        REGISTRY.publish(POOL, 1, Fixtures.artifact(1, 1));
        REGISTRY.activate(POOL, 1);
        SharedRouter.awaitGeneration(POOL, 1);
        collector = new FakeCalibration();
        traced = TestRouter.start(
                DATABASE.springProperties(), "eldr.tracing.otlp-endpoint=" + collector.url() + "/v1/traces");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> traced.get("/v1/pools/" + POOL + "/decoders").status() == 200);
    }

    @AfterAll
    static void stop() {
        traced.close();
        collector.close();
        prefill.close();
        decode.close();
    }

    @Test
    void bothEnginesAreBelowTheCallersSpan() throws Exception {
        assertThat(complete(traced).statusCode()).isEqualTo(200);

        List<String> parents = List.of(traceparent(prefill), traceparent(decode));
        assertThat(parents).allMatch(parent -> parent.matches("00-" + TRACE + "-[0-9a-f]{16}-01"));
        assertThat(parents).doesNotHaveDuplicates().noneMatch(parent -> parent.contains(CALLER));
        await().atMost(Duration.ofSeconds(60))
                .until(() ->
                        spans().containsAll(List.of("POST /v1/completions", "prefill", "decide", "handoff", "decode")));
        assertThat(exported())
                .as("all of one trace")
                .contains(latin(HexFormat.of().parseHex(TRACE)));
        assertThat(exported())
                .as("each hop is a span of its own")
                .contains(parents.stream()
                        .map(parent -> latin(HexFormat.of().parseHex(parent.split("-", -1)[2])))
                        .toList());
    }

    @Test
    void aDecisionIsFoundByItsRequestsId() {
        assertThat(traced.post("/v1/route", body(POOL, "find me")).status()).isEqualTo(200);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> exported().contains("find me") && spans().contains("POST /v1/route"));
    }

    @Test
    void aDecisionIsALineOfJsonThatNamesItsRequestAndItsTrace() {
        try (JsonLines lines = JsonLines.of("io.eldr.router.route.RouteService")) {
            TestRouter.Answer answer = traced.post("/v1/route", body(POOL, "a \"line\" of its own"));
            assertThat(answer.status()).isEqualTo(200);
            JsonNode line = await().until(
                            () -> lines.all().stream()
                                    .filter(found ->
                                            found.path("requestId").asString("").startsWith("a \"line\""))
                                    .findFirst(),
                            Optional::isPresent)
                    .orElseThrow();
            assertThat(line.path("@timestamp").asString()).startsWith("20");
            assertThat(line.at("/log/level").asString()).isEqualTo("DEBUG");
            assertThat(line.at("/service/name").asString()).isEqualTo("eldr-router");
            assertThat(line.path("requestId").asString()).isEqualTo("a \"line\" of its own");
            assertThat(line.path("pool").asString()).isEqualTo(POOL);
            assertThat(line.path("decoder").asString()).isEqualTo("decoder-0");
            assertThat(line.path("reason").asString()).isNotEmpty();
            assertThat(line.path("traceId").asString()).matches("[0-9a-f]{32}");
        }
    }

    @Test
    void anExceptionIsPartOfItsLine() {
        try (JsonLines lines = JsonLines.of("io.eldr.router.testing")) {
            LoggerFactory.getLogger("io.eldr.router.testing").warn("It failed", new IllegalStateException("broken"));
            assertThat(lines.all()).singleElement().satisfies(line -> {
                assertThat(line.path("message").asString()).isEqualTo("It failed");
                assertThat(line.at("/error/type").asString()).isEqualTo("java.lang.IllegalStateException");
                assertThat(line.at("/error/stack_trace").asString()).contains("broken", "\tat io.eldr.router.tracing");
            });
        }
    }

    @Test
    void withoutACollectorTheCallersContextGoesToBothEnginesAsItCame() throws Exception {
        assertThat(complete(ROUTER).statusCode()).isEqualTo(200);
        assertThat(List.of(traceparent(prefill), traceparent(decode))).containsOnly(TRACEPARENT);
    }

    private static String traceparent(FakeEngine engine) throws InterruptedException {
        String header = engine.seen.take().headers().get("traceparent");
        return header == null ? "" : header;
    }

    private static HttpResponse<String> complete(TestRouter router) throws IOException, InterruptedException {
        prefill.seen.clear();
        decode.seen.clear();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + router.port() + "/v1/completions"))
                            .header("Content-Type", "application/json")
                            .header("traceparent", TRACEPARENT)
                            .POST(HttpRequest.BodyPublishers.ofString(
                                    "{\"model\":\"" + POOL + "\",\"prompt\":\"hello\",\"stream\":true}"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    /** All that was exported, a character for each byte; texts and ids stand in it as they are. */
    private static String exported() {
        StringBuilder all = new StringBuilder();
        collector.posts("/v1/traces").forEach(post -> all.append(post.raw()));
        return all.toString();
    }

    private static List<String> spans() {
        String all = exported();
        return List.of("POST /v1/completions", "POST /v1/route", "prefill", "decide", "handoff", "decode").stream()
                // In the wire form a text follows its length.
                .filter(name -> all.contains((char) name.length() + name))
                .toList();
    }

    private static String latin(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
