package io.eldr.core.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.artifact.Evidence;
import io.eldr.core.artifact.HeldOutStatistics;
import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.clustering.Centroids;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.Representation;
import io.eldr.core.signature.SignatureSpec;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.trace.TokenOrigin;
import io.eldr.core.vector.Parallel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GateTest {
    private static final int TOPICS = 4;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void anArtifactThatTellsTopicsApartReplacesOneThatDoesNot(long seed) {
        List<RequestSample> requests = Samples.topical(600, TOPICS, seed);
        GateVerdict verdict = judge(topical(TOPICS), Optional.of(arbitrary(seed)), requests);
        assertThat(verdict.passed()).isTrue();
        assertThat(verdict.measure()).contains(GateMeasure.UNION);
        assertThat(verdict.tokens()).contains(TokenOrigin.DRAWN);
        assertThat(verdict.batch()).hasValue(32);
        assertThat(verdict.requests()).isEqualTo(600);
        assertThat(verdict.high().orElseThrow()).isNegative();
        assertThat(verdict.candidate().orElseThrow())
                .isLessThan(verdict.active().orElseThrow());
        assertThat(verdict.reasons()).isEmpty();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void anArtifactThatMixesTopicsIsRefusedWithTheFigures(long seed) {
        List<RequestSample> requests = Samples.topical(600, TOPICS, seed);
        GateVerdict verdict = judge(arbitrary(seed), Optional.of(topical(TOPICS)), requests);
        assertThat(verdict.passed()).isFalse();
        assertThat(verdict.low().orElseThrow()).isPositive();
        assertThat(verdict.reasons())
                .anyMatch(reason -> reason.startsWith("distinct experts per layer in batches of 32:")
                        && reason.endsWith("is worse beyond chance"));
    }

    @Test
    void theSameGroupsDifferByNothingWhateverTheirSlots() {
        List<RequestSample> requests = Samples.topical(400, TOPICS, 3);
        RoutingArtifact active = topical(TOPICS);
        GateVerdict verdict = judge(active.boundTo(List.of("d", "c", "b", "a")), Optional.of(active), requests);
        assertThat(verdict.passed()).isTrue();
        assertThat(verdict.low()).hasValue(0);
        assertThat(verdict.high()).hasValue(0);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anEquallyGoodArtifactIsNotRefusedByChance(long seed) {
        // Two random halvings of requests without topics: neither can be better.
        List<RequestSample> requests = Samples.topical(500, 1, seed);
        GateVerdict verdict = judge(arbitrary(seed), Optional.of(arbitrary(seed + 100)), requests);
        assertThat(verdict.low().orElseThrow()).isLessThan(0.02);
        assertThat(verdict.candidate().orElseThrow()).isCloseTo(verdict.active().orElseThrow(), within(0.3));
    }

    @Test
    void theLimitOnTheHottestShareIsTheLargerOfTheActiveOnesAndTwiceTheFairShare() {
        // All requests are of topic 0; a candidate of 5 clusters sends all of them to one.
        List<RequestSample> requests = ofTopic(0, 400);
        RoutingArtifact candidate = withCentroids(List.of(topic(0), lone(9), lone(10), lone(11), lone(8)));
        RoutingArtifact even = arbitrary(7);
        GateVerdict refused = judge(candidate, Optional.of(even), requests, GateRule.SHARES_ONLY);
        assertThat(refused.passed()).isFalse();
        assertThat(refused.candidateHottestShare()).hasValue(1);
        assertThat(refused.shareLimit())
                .isEqualTo(Math.max(0.4, refused.activeHottestShare().orElseThrow()));
        assertThat(refused.reasons()).singleElement().asString().startsWith("the hottest cluster draws 100.0 %");
        assertThat(refused.measure()).isEmpty();

        GateVerdict passed = judge(candidate, Optional.of(candidate), requests, GateRule.SHARES_ONLY);
        assertThat(passed.passed()).isTrue();
        assertThat(passed.shareLimit()).isEqualTo(1);
    }

    @Test
    void withoutAnActiveArtifactAFailingShareIsAWarning() {
        RoutingArtifact candidate = withCentroids(List.of(topic(0), lone(9), lone(10), lone(11), lone(8)));
        GateVerdict verdict = judge(candidate, Optional.empty(), ofTopic(0, 400));
        assertThat(verdict.passed()).isTrue();
        assertThat(verdict.reasons()).isEmpty();
        assertThat(verdict.warnings()).anyMatch(warning -> warning.startsWith("the hottest cluster draws"));
        assertThat(verdict.active()).isEmpty();
        assertThat(verdict.low()).isEmpty();
    }

    @Test
    void sharesAloneAreJudgedWhereTheRuleSaysSo() {
        List<RequestSample> requests = Samples.topical(600, TOPICS, 1);
        GateVerdict verdict = judge(arbitrary(1), Optional.of(topical(TOPICS)), requests, GateRule.SHARES_ONLY);
        assertThat(verdict.passed()).isTrue();
        assertThat(verdict.measure()).isEmpty();
        assertThat(verdict.toJson()).contains("\"rule\":\"shares-only\"", "\"measure\":null");
    }

    @Test
    void theBatchIsTheLargestThatThreeQuartersOfTheGroupsFill() {
        assertThat(judge(topical(TOPICS), Optional.empty(), Samples.topical(100, TOPICS, 1))
                        .batch())
                .hasValue(16);
        assertThat(judge(topical(TOPICS), Optional.empty(), Samples.topical(48, TOPICS, 1))
                        .batch())
                .hasValue(8);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void withoutDecodeCountsPromptsWithinAGroupAreCompared(long seed) {
        List<RequestSample> requests = Samples.withoutDecode(Samples.topical(400, TOPICS, seed));
        GateVerdict better = judge(topical(TOPICS), Optional.of(arbitrary(seed)), requests);
        assertThat(better.measure()).contains(GateMeasure.COSINE);
        assertThat(better.batch()).isEmpty();
        assertThat(better.passed()).isTrue();
        assertThat(better.warnings()).anyMatch(warning -> warning.startsWith("no request has decode counts"));
        GateVerdict worse = judge(arbitrary(seed), Optional.of(topical(TOPICS)), requests);
        assertThat(worse.passed()).isFalse();
        assertThat(worse.high().orElseThrow()).isNegative();
    }

    @Test
    void tooFewRequestsForBatchesAreComparedByPrompts() {
        GateVerdict verdict = judge(topical(TOPICS), Optional.of(arbitrary(1)), Samples.topical(12, TOPICS, 1));
        assertThat(verdict.measure()).contains(GateMeasure.COSINE);
        assertThat(verdict.warnings()).anyMatch(warning -> warning.startsWith("12 requests with decode counts"));
    }

    @Test
    void withNothingToJudgeOnNothingIsRefusedAndItIsSaid() {
        GateVerdict verdict = judge(topical(TOPICS), Optional.of(arbitrary(1)), List.of());
        assertThat(verdict.passed()).isTrue();
        assertThat(verdict.measure()).isEmpty();
        assertThat(verdict.candidateHottestShare()).isEmpty();
        assertThat(verdict.warnings()).containsExactly("there are no requests to judge on");
    }

    @Test
    void requestsWithoutSignatureSayNothing() {
        List<RequestSample> silent = List.of(
                new RequestSample("r", "", 1, ExpertCounts.zero(4, 12), Optional.empty(), 0),
                new RequestSample("s", "", 1, ExpertCounts.zero(4, 12), Optional.empty(), 0));
        GateVerdict verdict = judge(topical(TOPICS), Optional.of(arbitrary(1)), silent);
        assertThat(verdict.passed()).isTrue();
        assertThat(verdict.warnings()).anyMatch(warning -> warning.startsWith("no request has a signature"));
    }

    @Test
    void anActiveArtifactOfAnotherShapeIsComparedByItsRecordedShares() {
        GateVerdict verdict = judge(topical(TOPICS), Optional.of(ofAnotherShape(0.8)), Samples.topical(300, TOPICS, 1));
        assertThat(verdict.passed()).isTrue();
        assertThat(verdict.measure()).isEmpty();
        assertThat(verdict.activeHottestShare()).hasValue(0.8);
        assertThat(verdict.shareLimit()).isEqualTo(0.8);
        assertThat(verdict.warnings()).anyMatch(warning -> warning.contains("another shape"));
    }

    @Test
    void aRequestOfAnotherShapeIsRefusedById() {
        RequestSample odd = new RequestSample("odd", "", 1, ExpertCounts.zero(4, 13), Optional.empty(), 0);
        assertThatThrownBy(() -> judge(topical(TOPICS), Optional.empty(), List.of(odd)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("requests[odd].prefill");
    }

    @Test
    void theVerdictIsTheSameWhateverTheNumberOfThreads() {
        List<RequestSample> requests = Samples.topical(500, TOPICS, 5);
        GateVerdict sequential = judge(arbitrary(5), Optional.of(topical(TOPICS)), requests);
        try (ExecutorService executor = Executors.newFixedThreadPool(3)) {
            GateVerdict threaded = Gate.judge(
                    arbitrary(5), Optional.of(topical(TOPICS)), requests, GateRule.FULL, 1, Parallel.on(executor, 4));
            assertThat(threaded).isEqualTo(sequential);
        }
    }

    @Test
    void theVerdictIsWrittenAsJson() {
        String json = judge(topical(TOPICS), Optional.empty(), Samples.topical(400, TOPICS, 1))
                .toJson();
        assertThat(json)
                .startsWith(
                        "{\"passed\":true,\"rule\":\"full\",\"measure\":\"union\",\"token\":\"drawn\",\"batch\":32,")
                .contains(
                        "\"active\":null,\"difference\":{\"low\":null,\"high\":null},\"hottestShare\":{\"candidate\":")
                .endsWith("\"requests\":400,\"reasons\":[],\"warnings\":[]}");
    }

    private static GateVerdict judge(
            RoutingArtifact candidate, Optional<RoutingArtifact> active, List<RequestSample> requests) {
        return judge(candidate, active, requests, GateRule.FULL);
    }

    private static GateVerdict judge(
            RoutingArtifact candidate, Optional<RoutingArtifact> active, List<RequestSample> requests, GateRule rule) {
        return Gate.judge(candidate, active, requests, rule, 1, Parallel.sequential());
    }

    /** One centroid for each topic of {@link Samples}. */
    private static RoutingArtifact topical(int topics) {
        return withCentroids(
                IntStream.range(0, topics).mapToObj(GateTest::topic).toList());
    }

    /** Four centroids that have nothing to do with topics, close enough together to share the requests. */
    private static RoutingArtifact arbitrary(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return withCentroids(IntStream.range(0, TOPICS)
                .mapToObj(k -> {
                    float[] values = new float[Samples.GEOMETRY.cells()];
                    for (int layer = 0; layer < 4; layer++) {
                        for (int e = 0; e < 12; e++) {
                            values[layer * 12 + e] = 1 + (e % 3 == random.nextInt(3) ? 0.3f * random.nextFloat() : 0);
                        }
                    }
                    return values;
                })
                .toList());
    }

    private static float[] topic(int topic) {
        float[] values = new float[Samples.GEOMETRY.cells()];
        for (int cell = 0; cell < values.length; cell++) {
            values[cell] = cell % 12 / 3 == topic ? 1 : 0.1f;
        }
        return values;
    }

    /** A centroid that likes one expert alone. */
    private static float[] lone(int expert) {
        float[] values = new float[Samples.GEOMETRY.cells()];
        for (int cell = 0; cell < values.length; cell++) {
            values[cell] = cell % 12 == expert ? 1 : 0;
        }
        return values;
    }

    private static List<RequestSample> ofTopic(int topic, int atLeast) {
        List<RequestSample> found = new ArrayList<>();
        for (long seed = 1; found.size() < atLeast; seed++) {
            Samples.topical(400, TOPICS, seed).stream()
                    .filter(request -> request.label().equals("topic-" + topic))
                    .map(request -> renamed(request, "r" + found.size() + "-" + request.id()))
                    .forEach(found::add);
        }
        return found;
    }

    private static RequestSample renamed(RequestSample request, String id) {
        return new RequestSample(
                id,
                request.label(),
                request.signatureTokens(),
                request.prefill(),
                request.decode(),
                request.decodeTokens());
    }

    private static RoutingArtifact withCentroids(List<float[]> centroids) {
        int dimensions = Samples.GEOMETRY.cells();
        float[] values = new float[centroids.size() * dimensions];
        for (int k = 0; k < centroids.size(); k++) {
            double square = 0;
            for (float value : centroids.get(k)) {
                square += (double) value * value;
            }
            for (int d = 0; d < dimensions; d++) {
                values[k * dimensions + d] = (float) (centroids.get(k)[d] / Math.sqrt(square));
            }
        }
        return artifact(Samples.MODEL, centroids.size(), values, Evidence.NONE);
    }

    private static RoutingArtifact ofAnotherShape(double hottest) {
        HeldOutStatistics heldOut =
                new HeldOutStatistics(10, List.of(hottest, 1 - hottest), List.of(10), 0.5, 1, List.of());
        Evidence evidence = new Evidence(10, 1, Map.of(), List.of(), List.of(), Optional.of(heldOut), Map.of());
        return artifact(new ModelIdentity("made-up", "", new Geometry(1, 2, 1)), 2, new float[] {1, 0, 0, 1}, evidence);
    }

    private static RoutingArtifact artifact(ModelIdentity model, int clusters, float[] values, Evidence evidence) {
        int layers = model.geometry().layers();
        SignatureSpec spec = new SignatureSpec(
                layers, model.geometry().experts(), Representation.COUNT, LayerMask.all(layers), Optional.empty());
        return new RoutingArtifact(
                model,
                spec,
                Centroids.of(clusters, spec.dimensions(), values),
                IntStream.range(0, clusters).mapToObj(Integer::toString).toList(),
                0.1,
                evidence);
    }
}
