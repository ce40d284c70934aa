package io.eldr.calibration.sample;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.ApiClient.Answer;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import io.eldr.core.signature.EldrSigForm;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.trace.SampleBatchForm;
import io.eldr.db.pool.PoolRepository;
import io.eldr.db.sample.SampleStore;
import io.eldr.db.sample.Selection;
import io.eldr.db.sample.StoredSample;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class BinarySamplesApiTest {
    private final ApiClient client = TestServer.shared().as(TestToken.CLIENT);
    private final ApiClient viewer = TestServer.shared().as(TestToken.VIEWER);
    private final TestPool pool = TestPool.create(TestServer.shared());

    @Test
    void countsWhatItTakesAndTellsDuplicatesApart() {
        assertThat(post(SampleBatchForm.write(samples(0, 700)))
                        .expect(200)
                        .json()
                        .toString())
                .isEqualTo("{\"accepted\":700,\"duplicates\":0}");
        assertThat(post(SampleBatchForm.write(samples(690, 15)))
                        .expect(200)
                        .json()
                        .toString())
                .isEqualTo("{\"accepted\":5,\"duplicates\":10}");
        JsonNode summary = viewer.get(pool.path() + "/samples").expect(200).json();
        assertThat(summary.path("count").asInt()).isEqualTo(705);
        assertThat(summary.path("withDecode").asInt()).isEqualTo(353);
        assertThat(summary.path("labels").path("topic-1").asInt()).isEqualTo(176);
    }

    @Test
    void storesTheSameAsJsonLines() {
        List<RequestSample> samples = samples(0, 40);
        post(SampleBatchForm.write(samples)).expect(200);
        TestPool other = TestPool.create(TestServer.shared());
        client.postSamples(
                        other.name(),
                        samples.stream().map(BinarySamplesApiTest::line).collect(Collectors.joining("\n")))
                .expect(200);
        assertThat(stored(pool))
                .hasSize(40)
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("id", "createdAt")
                .isEqualTo(stored(other));
    }

    @Test
    void keepsCountsOfPromptsThatTakeMoreThan16Bits() {
        int[] cells = new int[TestPool.GEOMETRY.cells()];
        for (int layer = 0; layer < TestPool.GEOMETRY.layers(); layer++) {
            cells[layer * TestPool.GEOMETRY.experts()] = 130_000;
            cells[layer * TestPool.GEOMETRY.experts() + 1] = 130_000;
        }
        ExpertCounts counts = ExpertCounts.of(4, 8, cells);
        post(SampleBatchForm.write(List.of(new RequestSample("long", "", 130_000, counts, Optional.empty(), 0))))
                .expect(200);
        assertThat(stored(pool)).extracting(StoredSample::prefill).containsExactly(counts);
    }

    static Stream<Arguments> badBatches() {
        List<RequestSample> good = samples(0, 3);
        byte[] bytes = SampleBatchForm.write(good);
        int second = 16 + SampleBatchForm.bytes(good.getFirst());
        return Stream.of(
                Arguments.of("nothing", new byte[0], "head"),
                Arguments.of(
                        "JSON lines", "{\"requestId\":\"a\",\"promptTokens\":1}\n".getBytes(US_ASCII), "head: magic"),
                Arguments.of("another version", damaged(bytes, 4, 2), "head: version"),
                Arguments.of("another model", damaged(bytes, 6, 5), "head: layers"),
                Arguments.of("no samples", Arrays.copyOf(damaged(bytes, 12, 0), 16), "body"),
                Arguments.of("cut off", Arrays.copyOf(bytes, bytes.length - 1), "sample 3"),
                Arguments.of("bytes behind its end", Arrays.copyOf(bytes, bytes.length + 1), "end"),
                Arguments.of("wrong length", damaged(bytes, second, 1), "sample 2: bytes"),
                Arguments.of("no prompt tokens", damaged(bytes, second + 12, 0), "sample 2: promptTokens"),
                Arguments.of("wrong prompt tokens", damaged(bytes, second + 12, 1), "sample 2: prefill"),
                Arguments.of(
                        "wrong decode tokens",
                        damaged(SampleBatchForm.write(samples(0, 1)), 16 + 16, 1),
                        "sample 1: decode"),
                Arguments.of(
                        "id with a line break",
                        SampleBatchForm.write(List.of(good.get(0), named("a\nb"))),
                        "sample 2: requestId"),
                Arguments.of("blank id", SampleBatchForm.write(List.of(named(" "))), "sample 1: requestId"),
                Arguments.of("long id", SampleBatchForm.write(List.of(named("x".repeat(201)))), "sample 1: requestId"),
                Arguments.of(
                        "label with NUL",
                        SampleBatchForm.write(List.of(new RequestSample(
                                "a",
                                "l\u0000",
                                good.get(0).signatureTokens(),
                                good.get(0).prefill(),
                                Optional.empty(),
                                0))),
                        "sample 1: label"),
                Arguments.of(
                        "an id twice",
                        SampleBatchForm.write(List.of(named("a"), named("b"), named("a"))),
                        "sample 3: requestId"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badBatches")
    void refusesTheWholeBatchNamingWhatIsWrong(String what, byte[] body, String field) {
        post(body).expectInvalid(field);
        assertThat(viewer.get(pool.path() + "/samples").json().path("count").asInt())
                .as("nothing is half-stored")
                .isZero();
    }

    @Test
    void refusesAWholeBatchForItsLastSample() {
        List<RequestSample> samples = new ArrayList<>(samples(0, 1_200));
        samples.add(named("r-7"));
        post(SampleBatchForm.write(samples)).expectInvalid("sample 1201: requestId");
        assertThat(viewer.get(pool.path() + "/samples").json().path("count").asInt())
                .isZero();
    }

    @Test
    void refusesABatchOverTheLimitWhetherItAnnouncesItsLengthOrNot() {
        byte[] body = SampleBatchForm.write(samples(0, 300));
        try (TestServer small = TestServer.start(TestServer.sharedDatabase(), "eldr.calibration.bodies.samples=20KB")) {
            ApiClient limited = small.as(TestToken.CLIENT);
            Answer announced = limited.post(
                            pool.path() + "/samples", SampleBatchForm.MEDIA_TYPE, BodyPublishers.ofByteArray(body))
                    .expectProblem(413, "too-large");
            assertThat(announced.json().path("detail").asString()).contains("20480 bytes");
            Answer chunked = limited.post(
                            pool.path() + "/samples",
                            SampleBatchForm.MEDIA_TYPE,
                            BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))
                    .expectProblem(413, "too-large");
            assertThat(chunked.json().path("detail").asString()).contains("20480 bytes");
        }
    }

    private Answer post(byte[] body) {
        return client.post(pool.path() + "/samples", SampleBatchForm.MEDIA_TYPE, BodyPublishers.ofByteArray(body));
    }

    private static List<StoredSample> stored(TestPool pool) {
        long id = TestServer.shared()
                .bean(PoolRepository.class)
                .findByName(pool.name())
                .orElseThrow()
                .id();
        List<StoredSample> samples = new ArrayList<>();
        TestServer.shared().bean(SampleStore.class).forEachNewest(id, Selection.ALL, 1_000, samples::add);
        return samples;
    }

    /** Every second one has decode counts, every fourth no label. */
    private static List<RequestSample> samples(int from, int count) {
        return IntStream.range(from, from + count)
                .mapToObj(i -> {
                    Random random = new Random(i);
                    int topic = i % TestPool.TOPICS;
                    int tokens = 5 + random.nextInt(20);
                    boolean decoded = i % 2 == 0;
                    return new RequestSample(
                            "r-" + i,
                            topic == 3 ? "" : "topic-" + topic,
                            tokens,
                            TestPool.counts(topic, tokens, random),
                            decoded ? Optional.of(TestPool.counts(topic, 6, random)) : Optional.empty(),
                            decoded ? 6 : 0);
                })
                .toList();
    }

    private static RequestSample named(String id) {
        return new RequestSample(id, "", 5, TestPool.counts(0, 5, new Random(1)), Optional.empty(), 0);
    }

    private static byte[] damaged(byte[] bytes, int position, int value) {
        byte[] damaged = bytes.clone();
        damaged[position] = (byte) value;
        return damaged;
    }

    private static String line(RequestSample sample) {
        String label = sample.label().isEmpty() ? "" : "\"label\":\"" + sample.label() + "\",";
        String decode = sample.decode()
                .map(counts -> ",\"decodeTokens\":" + sample.decodeTokens() + ",\"decode\":{\"eldr_sig\":\""
                        + EldrSigForm.write(counts) + "\"}")
                .orElse("");
        return "{\"requestId\":\"%s\",%s\"promptTokens\":%d,\"prefill\":{\"eldr_sig\":\"%s\"}%s}"
                .formatted(sample.id(), label, sample.signatureTokens(), EldrSigForm.write(sample.prefill()), decode);
    }
}
