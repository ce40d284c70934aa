package io.eldr.core.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.load.LoadView;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Representation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EldrPolicyTest {
    /** Similarities to a request that only uses expert 0: 1.0, 0.8, 0.6 and 0.0. */
    private static final RoutingArtifact FOUR =
            TestPools.artifact(new double[] {1, 0}, new double[] {4, 3}, new double[] {3, 4}, new double[] {0, 1});

    private static final ExpertCounts FIRST_EXPERT = TestPools.counts(5, 0);

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @Test
    void tauZeroTakesTheNearestWhateverItsLoad() {
        Decision.Chosen chosen = decide(0, 2, 9, 0, 0, 0);

        assertThat(chosen.index()).isZero();
        assertThat(chosen.reason()).isEqualTo(Reason.NEAREST);
        assertThat(bandOf(chosen)).containsExactly(0);
        assertThat(chosen.similarity().orElseThrow()).isCloseTo(1, within(1e-6));
        assertThat(chosen.cluster()).hasValue(0);
    }

    @Test
    void theLeastLoadedOfTheBandIsChosen() {
        Decision.Chosen chosen = decide(0.45, 1, 3, 2, 1, 0);

        assertThat(bandOf(chosen)).containsExactly(0, 1, 2);
        assertThat(chosen.index()).isEqualTo(2);
        assertThat(chosen.reason()).isEqualTo(Reason.BAND);
        assertThat(idsOf(chosen.fallbacks())).containsExactly("decoder-1", "decoder-0", "decoder-3");
        assertThat(chosen.band().orElseThrow().members().get(1).load()).isEqualTo(2);
    }

    @Test
    void aBandOfOneIsFilledWithTheNearestUpToMinCandidates() {
        Decision.Chosen chosen = decide(0.1, 2, 1, 0, 0, 0);

        assertThat(bandOf(chosen)).containsExactly(0, 1);
        assertThat(chosen.index()).isEqualTo(1);
        assertThat(chosen.reason()).isEqualTo(Reason.MIN_CANDIDATES);
        assertThat(idsOf(chosen.fallbacks())).containsExactly("decoder-0", "decoder-2", "decoder-3");
    }

    @Test
    void oneMinCandidateIsTheFormulaAlone() {
        assertThat(bandOf(decide(0.1, 1, 1, 0, 0, 0))).containsExactly(0);
    }

    @Test
    void moreMinCandidatesThanDecodersTakeAll() {
        assertThat(bandOf(decide(0.1, 9, 1, 0, 0, 0))).containsExactly(0, 1, 2, 3);
    }

    @Test
    void equalLoadsGoToTheHigherSimilarity() {
        Decision.Chosen chosen = decide(0.45, 1, 1, 1, 1, 0);

        assertThat(chosen.index()).isZero();
        assertThat(chosen.reason()).isEqualTo(Reason.NEAREST);
    }

    @Test
    void equalLoadsAndSimilaritiesAreDrawnByLot() {
        RoutingArtifact twins = TestPools.artifact(new double[] {1, 1}, new double[] {1, 1}, new double[] {0, 1});
        PoolSnapshot snapshot = TestPools.snapshot(twins, TestPools.decoders(3), 0, 1);
        RandomGenerator random = new SplittableRandom(4);
        int[] chosen = new int[3];
        for (int i = 0; i < 1_000; i++) {
            chosen[
                    decide(snapshot, DecisionRequest.of(FIRST_EXPERT), LoadView.idle(3), random)
                            .index()]++;
        }

        assertThat(chosen[0]).isBetween(430, 570);
        assertThat(chosen[2]).isZero();
    }

    @Test
    void loadIsJudgedInRelationToWeight() {
        List<Decoder> decoders = List.of(TestPools.decoder("decoder-0", 4), TestPools.decoder("decoder-1", 1));
        RoutingArtifact artifact = TestPools.artifact(new double[] {3, 4}, new double[] {1, 0});
        PoolSnapshot snapshot = TestPools.snapshot(artifact, decoders, 0.9, 1);

        Decision.Chosen chosen =
                decide(snapshot, DecisionRequest.of(FIRST_EXPERT), LoadView.fixed(3, 1), new SplittableRandom(1));

        assertThat(chosen.index()).isZero();
        assertThat(chosen.reason()).isEqualTo(Reason.BAND);
    }

    @Test
    void theBestSimilarityIsThatOfTheDecodersThatMayTakeTheRequest() {
        PoolSnapshot snapshot = TestPools.snapshot(FOUR, TestPools.decoders(4), 0.25, 1);

        Decision.Chosen chosen = decide(
                snapshot,
                DecisionRequest.of(FIRST_EXPERT).notTo(Set.of("decoder-0")),
                LoadView.fixed(0, 2, 1, 0),
                new SplittableRandom(1));

        assertThat(bandOf(chosen)).containsExactly(1, 2);
        assertThat(chosen.index()).isEqualTo(2);
        assertThat(chosen.evaluation().similarity(0)).isCloseTo(1, within(1e-6));
        assertThat(chosen.evaluation().inFlight(0)).isEmpty();
        assertThat(chosen.evaluation().inFlight(1)).hasValue(2);
    }

    @Test
    void aRequestWithoutASignatureGoesToTheLeastLoadedOfAll() {
        PoolSnapshot snapshot = TestPools.snapshot(FOUR, TestPools.decoders(4), 0, 1);
        LoadView loads = LoadView.fixed(2, 2, 2, 1);

        Decision.Chosen missing = decide(snapshot, DecisionRequest.unknown(), loads, new SplittableRandom(1));
        Decision.Chosen zero =
                decide(snapshot, DecisionRequest.of(TestPools.counts(0, 0)), loads, new SplittableRandom(1));
        Decision.Chosen otherShape =
                decide(snapshot, DecisionRequest.of(TestPools.counts(1, 2, 3)), loads, new SplittableRandom(1));

        assertThat(List.of(missing.index(), zero.index(), otherShape.index())).containsOnly(3);
        assertThat(missing.reason()).isEqualTo(Reason.NO_SIGNATURE);
        assertThat(missing.similarity()).isEmpty();
        assertThat(missing.band()).isEmpty();
        assertThat(missing.cluster()).hasValue(3);
        assertThat(zero.reason()).isEqualTo(Reason.NO_SIGNATURE);
        assertThat(zero.evaluation().similarities()).containsOnly(0);
        assertThat(otherShape.reason()).isEqualTo(Reason.INCOMPATIBLE_SIGNATURE);
    }

    @Test
    void aPoolWithoutAnArtifactSendsToTheLeastLoadedOfAll() {
        Decision.Chosen chosen = decide(
                TestPools.withoutArtifact(TestPools.decoders(3)),
                DecisionRequest.of(FIRST_EXPERT),
                LoadView.fixed(2, 1, 2),
                new SplittableRandom(1));

        assertThat(chosen.index()).isEqualTo(1);
        assertThat(chosen.reason()).isEqualTo(Reason.NO_ARTIFACT);
        assertThat(chosen.cluster()).isEmpty();
        assertThat(chosen.version().degraded()).isTrue();
        assertThat(chosen.version().artifactVersion()).isEmpty();
    }

    @Test
    void aDecoderThatBorrowsACentroidTakesItsShareAndTheAnswerSaysSo() {
        PoolSnapshot snapshot = TestPools.snapshot(FOUR, TestPools.decoders(5), 0, 1);

        Decision.Chosen chosen = decide(
                snapshot, DecisionRequest.of(FIRST_EXPERT), LoadView.fixed(1, 0, 0, 0, 0), new SplittableRandom(1));

        assertThat(bandOf(chosen)).containsExactly(0, 4);
        assertThat(chosen.index()).isEqualTo(4);
        assertThat(chosen.cluster()).hasValue(0);
        assertThat(chosen.reason()).isEqualTo(Reason.BORROWED_CENTROID);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void agreesWithTheFormulaWorkedOutPlainly(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int clusters = random.nextInt(1, 14);
        int size = random.nextInt(1, 14);
        RoutingArtifact artifact = TestPools.randomArtifact(random, Representation.COUNT, 2, 6, clusters);
        List<Decoder> decoders = IntStream.range(0, size)
                .mapToObj(i -> TestPools.decoder("decoder-" + i, 1 + random.nextInt(2)))
                .toList();
        double tau = List.of(0.0, 0.02, 0.1, 0.3).get(random.nextInt(4));
        int minCandidates = random.nextInt(1, 5);
        PoolSnapshot snapshot = TestPools.snapshot(artifact, decoders, tau, minCandidates);
        int[] inFlight = random.ints(size, 0, 4).toArray();
        ExpertCounts counts = TestPools.randomCounts(random, 2, 6);

        Decision.Chosen chosen =
                decide(snapshot, DecisionRequest.of(counts), LoadView.fixed(inFlight), new SplittableRandom(seed));

        if (chosen.band().isEmpty()) {
            assertThat(artifact.spec().signatureOf(counts).isZero()).isTrue();
            return;
        }
        double[] s = IntStream.range(0, size)
                .mapToDouble(
                        i -> chosen.evaluation().similarity(snapshot.cluster(i).orElseThrow()))
                .toArray();
        Comparator<Integer> byNearness = Comparator.comparingDouble(i -> -s[i]);
        Comparator<Integer> byLoad =
                Comparator.comparingDouble(i -> inFlight[i] / decoders.get(i).weight());
        List<Integer> nearest = IntStream.range(0, size)
                .boxed()
                .sorted(byNearness.thenComparing(byLoad))
                .toList();
        List<Integer> band = bandOf(chosen);
        List<Integer> raw = nearest.stream()
                .filter(i -> s[i] >= s[nearest.getFirst()] - tau)
                .toList();

        assertThat(band).isSorted().doesNotHaveDuplicates().containsAll(raw);
        assertThat(band).hasSize(tau == 0 ? raw.size() : Math.max(raw.size(), Math.min(minCandidates, size)));
        for (int i = 0; i < size; i++) {
            int outsider = i;
            if (!band.contains(outsider)) {
                assertThat(band).allMatch(member -> s[member] >= s[outsider]);
            }
        }
        Comparator<Integer> best = byLoad.thenComparing(byNearness);
        assertThat(band).allMatch(member -> best.compare(chosen.index(), member) <= 0);
        List<Integer> order = chosen.fallbacks().stream().map(decoders::indexOf).toList();
        int inBand = Math.min(band.size() - 1, Decision.MAX_FALLBACKS);
        assertThat(order.subList(0, inBand)).isSubsetOf(band).isSortedAccordingTo(best);
        assertThat(order.subList(inBand, order.size()))
                .doesNotContainAnyElementsOf(band)
                .isSortedAccordingTo(byNearness.thenComparing(byLoad));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void tauOfOneOrMoreIsJsq(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int size = random.nextInt(1, 14);
        RoutingArtifact artifact = TestPools.randomArtifact(random, Representation.COUNT, 2, 6, size);
        PoolSnapshot snapshot = TestPools.snapshot(artifact, TestPools.decoders(size), 1 + random.nextInt(2) * 0.5, 2);
        List<Integer> distinct =
                new ArrayList<>(IntStream.range(0, size).boxed().toList());
        Collections.shuffle(distinct, new Random(seed));
        int[] inFlight = distinct.stream().mapToInt(Integer::intValue).toArray();
        DecisionRequest request = DecisionRequest.of(TestPools.randomCounts(random, 2, 6));
        LoadView loads = LoadView.fixed(inFlight);

        Decision.Chosen eldr = decide(snapshot, request, loads, new SplittableRandom(seed));
        Decision.Chosen jsq =
                (Decision.Chosen) PolicyName.JSQ.create().decide(request, snapshot, loads, new SplittableRandom(seed));

        assertThat(eldr.index()).isEqualTo(jsq.index());
        assertThat(eldr.fallbacks()).isEqualTo(jsq.fallbacks());
    }

    @Test
    void twoCandidatesAreTheDefaultExceptAmongFewDecoders() {
        assertThat(List.of(1, 4, 5, 64).stream().map(BandRule::defaultMinCandidates))
                .containsExactly(1, 1, 2, 2);
    }

    private static Decision.Chosen decide(double tau, int minCandidates, int... inFlight) {
        return decide(
                TestPools.snapshot(FOUR, TestPools.decoders(4), tau, minCandidates),
                DecisionRequest.of(FIRST_EXPERT),
                LoadView.fixed(inFlight),
                new SplittableRandom(1));
    }

    private static Decision.Chosen decide(
            PoolSnapshot snapshot, DecisionRequest request, LoadView loads, RandomGenerator random) {
        return (Decision.Chosen) PolicyName.ELDR.create().decide(request, snapshot, loads, random);
    }

    private static List<Integer> bandOf(Decision.Chosen chosen) {
        return chosen.band().orElseThrow().members().stream()
                .map(Band.Member::index)
                .toList();
    }

    private static List<String> idsOf(List<Decoder> decoders) {
        return decoders.stream().map(Decoder::id).toList();
    }
}
