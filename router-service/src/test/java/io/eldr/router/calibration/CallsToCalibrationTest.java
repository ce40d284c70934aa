package io.eldr.router.calibration;

import static io.eldr.router.testing.SharedRouter.DATABASE;
import static io.eldr.router.testing.SharedRouter.REGISTRY;
import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.core.signature.EldrSigForm;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.trace.SampleBatchReader;
import io.eldr.router.pool.Pools;
import io.eldr.router.testing.FakeCalibration;
import io.eldr.router.testing.FakeCalibration.Post;
import io.eldr.router.testing.FakeEngine;
import io.eldr.router.testing.Fixtures;
import io.eldr.router.testing.TestRouter;
import io.eldr.router.testing.TokenRows;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a router tells the calibration service, over HTTP, and what comes of it when that does not answer. */
class CallsToCalibrationTest {
    private static FakeCalibration calibration;
    private static TestRouter router;

    @BeforeAll
    static void start() {
        calibration = new FakeCalibration();
        router = TestRouter.start(DATABASE.springProperties(), calibration.properties());
    }

    @AfterAll
    static void stop() {
        // Another try has a router of its own, which is not to take these for the pools that it is given.
        List.of("observed", "sampled", "through", "grown")
                .forEach(pool -> REGISTRY.set(pool, "deleted_at", Timestamp.from(Instant.now())));
        router.close();
        calibration.close();
    }

    @BeforeEach
    void answer() {
        calibration.answer(200);
    }

    @Test
    void whatRequestsWereLikeIsPostedOnceHoweverOftenItIsTried() {
        serve("observed", 3);
        String path = "/v1/pools/observed/observations";
        calibration.answer(503);
        route("observed", "a", 10);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> calibration.posts(path).size() >= 2);
        route("observed", "b", 10);
        assertThat(router.post("/v1/route", body("observed", "dry", "dryRun", true))
                        .status())
                .isEqualTo(200);
        assertThat(router.post("/v1/route", body("observed", "unknown")).status())
                .isEqualTo(200);
        List<Post> failed = calibration.posts(path);
        assertThat(failed.getLast()).isEqualTo(failed.getFirst());
        assertThat(failed.getFirst().authorization()).isEqualTo("Bearer " + FakeCalibration.TOKEN);
        calibration.answer(200);

        await().atMost(Duration.ofSeconds(60)).until(() -> counted(path, "requests") == 21);
        assertThat(counted(path, "withoutSignature")).isOne();
        for (JsonNode post : distinct(path)) {
            assertThat(post.path("router").asString()).matches("router-[0-9a-f]{8}-[0-9a-f]{16}");
            assertThat(post.path("generation").asInt()).isOne();
            long measured = post.path("requests").asLong()
                    - post.path("withoutSignature").asLong();
            assertThat(sum(post.path("nearest"))).isEqualTo(measured);
            assertThat(sum(post.path("similarities"))).isEqualTo(measured);
            assertThat(post.path("nearest")).hasSize(3);
            assertThat(post.path("similarities")).hasSize(20);
        }
    }

    @Test
    void requestsThatEndBecomeSamples() {
        serve("sampled", 2);
        REGISTRY.set("sampled", "sampling_rate", 1.0);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> router.bean(Pools.class)
                        .find("sampled")
                        .flatMap(pool -> pool.state().intent().samplingRate())
                        .filter(rate -> rate == 1.0)
                        .isPresent());
        String path = "/v1/pools/sampled/samples";
        ExpertCounts prompt = Fixtures.wholeCounts(1, 10);
        ExpertCounts decoded = Fixtures.wholeCounts(2, 7);
        Map<String, String> signature = Map.of("eldr_sig", EldrSigForm.write(prompt));
        calibration.answer(503);

        end(
                "both",
                signature,
                Map.of("outcome", "aborted", "decodeCounts", Map.of("eldr_sig", EldrSigForm.write(decoded))));
        await().atMost(Duration.ofSeconds(60))
                .until(() -> calibration.posts(path).size() >= 2);
        end("prompt only", signature, Map.of("outcome", "completed"));
        end("aborted", signature, Map.of("outcome", "aborted"));
        end(
                "no signature",
                Map.of("eldr_sig", EldrSigForm.write(ExpertCounts.zero(4, 8))),
                Map.of("outcome", "completed"));
        calibration.answer(200);

        await().atMost(Duration.ofSeconds(60))
                .until(() -> samples(path)
                        .equals(Set.of(
                                new RequestSample("both", "code", 10, prompt, Optional.of(decoded), 7),
                                new RequestSample("prompt only", "code", 10, prompt, Optional.empty(), 0))));
        assertThat(calibration.posts(path).getFirst().authorization()).isEqualTo("Bearer " + FakeCalibration.TOKEN);
        MeterRegistry meters = router.bean(MeterRegistry.class);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> meters.get("eldr.router.samples")
                                .tag("result", "taken")
                                .counter()
                                .count()
                        >= 2);
        await().until(() -> meters.get("eldr.router.samples")
                        .tag("result", "unfit")
                        .counter()
                        .count()
                == 1);
    }

    @Test
    void requestsThatGoThroughTheGatewayBecomeSamplesToo() {
        ExpertCounts prompt = Fixtures.wholeCounts(3, 4);
        TokenRows rows = TokenRows.drawn(4, 9);
        String prefilled = "{\"choices\":[{\"finish_reason\":\"length\"}],\"usage\":{\"prompt_tokens\":4},"
                + "\"kv_transfer_params\":{\"eldr_sig\":\"" + EldrSigForm.write(prompt) + "\"}}";
        String decoded = "{\"choices\":[{\"routed_experts\":\"" + rows.base64()
                + "\"}],\"usage\":{\"prompt_tokens\":4,\"completion_tokens\":6}}";
        try (FakeEngine prefiller = new FakeEngine(seen -> FakeEngine.json(200, prefilled));
                FakeEngine decoder = new FakeEngine(seen -> seen.body().contains("stream")
                        ? FakeEngine.tokens(3, Duration.ZERO)
                        : FakeEngine.json(200, decoded))) {
            REGISTRY.pool("through");
            REGISTRY.set("through", "sampling_rate", 1.0);
            REGISTRY.prefiller("through", "prefill-0", prefiller.url(), "none");
            REGISTRY.worker("through", "decoder-0", decoder.url(), "none");
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> router.bean(Pools.class)
                            .find("through")
                            .filter(pool -> pool.state().decoders().size() == 1)
                            .filter(pool -> pool.state().prefillers().size() == 1)
                            .isPresent());

            assertThat(router.post("/v1/completions", "{\"model\":\"through\",\"prompt\":\"a\"}")
                            .text())
                    .isEqualTo(decoded);
            assertThat(router.post("/v1/completions", "{\"model\":\"through\",\"prompt\":\"b\",\"stream\":true}")
                            .status())
                    .isEqualTo(200);

            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                Set<RequestSample> samples = samples("/v1/pools/through/samples");
                assertThat(samples).extracting(RequestSample::prefill).containsOnly(prompt);
                assertThat(samples)
                        .extracting(RequestSample::decode)
                        .containsExactlyInAnyOrder(Optional.of(rows.counts(4, 9)), Optional.empty());
            });
        }
    }

    /** Routes a request and closes it. */
    private static void end(String id, Map<String, String> signature, Map<String, Object> close) {
        TestRouter.Answer opened =
                router.post("/v1/route", body("sampled", id, "label", "code", "signature", signature));
        assertThat(opened.status()).as(opened.text()).isEqualTo(200);
        String reservation = opened.json().at("/reservation/id").asString();
        TestRouter.Answer closed = router.post("/v1/reservations/" + reservation + "/close", close);
        assertThat(closed.status()).as(closed.text()).isEqualTo(204);
    }

    private static Set<RequestSample> samples(String path) {
        Set<RequestSample> samples = new HashSet<>();
        for (Post post : calibration.posts(path)) {
            SampleBatchReader batch = new SampleBatchReader(new ByteArrayInputStream(post.bytes()), Fixtures.GEOMETRY);
            try {
                for (Optional<RequestSample> next = batch.next(); next.isPresent(); next = batch.next()) {
                    samples.add(next.get());
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return samples;
    }

    @Test
    void aTopologyRefitIsAskedForOnceForASetOfDecoders() {
        String path = "/v1/pools/grown/refits";
        serve("grown", 2);
        REGISTRY.worker("grown", "decoder-2", "http://127.0.0.1:1/2", "none");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> calibration.posts(path).size() == 1);
        assertThat(calibration.posts(path).getFirst().json())
                .isEqualTo(JsonMapper.shared().readTree("{\"trigger\":\"topology\"}"));
        REGISTRY.worker("grown", "decoder-3", "http://127.0.0.1:1/3", "none");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> calibration.posts(path).size() == 2);
        REGISTRY.removeWorker("grown", "decoder-3");
        REGISTRY.removeWorker("grown", "decoder-0");
        // Two decoders on two clusters: one of them took over.
        await().during(Duration.ofSeconds(2))
                .atMost(Duration.ofSeconds(60))
                .until(() -> calibration.posts(path).size() == 2);
    }

    private static void serve(String pool, int decoders) {
        REGISTRY.pool(pool);
        REGISTRY.decoders(pool, decoders);
        REGISTRY.publish(pool, 1, Fixtures.withStatistics(Fixtures.artifact(1, decoders), 20));
        REGISTRY.activate(pool, 1);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> router.get("/v1/pools/" + pool + "/decoders")
                                .json()
                                .path("generation")
                                .asLong(-1)
                        == 1);
    }

    private static void route(String pool, String prefix, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(router.post(
                                    "/v1/route",
                                    body(
                                            pool,
                                            prefix + i,
                                            "signature",
                                            Map.of("eldr_sig", EldrSigForm.write(Fixtures.counts(i, 10)))))
                            .status())
                    .isEqualTo(200);
        }
    }

    private static long counted(String path, String field) {
        return distinct(path).stream()
                .mapToLong(post -> post.path(field).asLong())
                .sum();
    }

    private static List<JsonNode> distinct(String path) {
        return calibration.posts(path).stream()
                .map(Post::text)
                .distinct()
                .map(text -> new Post(path, "", text).json())
                .toList();
    }

    private static long sum(JsonNode counts) {
        return counts.valueStream().mapToLong(JsonNode::asLong).sum();
    }
}
