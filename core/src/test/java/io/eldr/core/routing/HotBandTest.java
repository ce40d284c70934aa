package io.eldr.core.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.load.LoadView;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.Representation;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Hot decoders leave the band, and a band that is hot as a whole widens. */
class HotBandTest {
    /** Similarities to a request that only uses expert 0: 1.0, 0.8, 0.6 and 0.0. */
    private static final RoutingArtifact FOUR =
            TestPools.artifact(new double[] {1, 0}, new double[] {4, 3}, new double[] {3, 4}, new double[] {0, 1});

    private static final ExpertCounts FIRST_EXPERT = TestPools.counts(5, 0);

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @Test
    void aHotDecoderLeavesTheBand() {
        // Mean 4: decoder-0 is at twice the mean and 5 above it.
        Decision.Chosen chosen = decide(0.25, LoadView.fixed(9, 5, 1, 1));

        assertThat(bandOf(chosen)).containsExactly(1);
        assertThat(chosen.index()).isEqualTo(1);
        assertThat(chosen.reason()).isEqualTo(Reason.BAND);
        assertThat(chosen.fallbacks()).extracting(Decoder::id).containsExactly("decoder-0", "decoder-2", "decoder-3");
    }

    @Test
    void withoutTheRuleItStays() {
        PoolSnapshot snapshot = snapshot(new BandRule(0.25, 1));
        assertThat(bandOf(decide(snapshot, LoadView.fixed(9, 5, 1, 1)))).containsExactly(0, 1);
    }

    @Test
    void aFactorAloneMakesNoDecoderHot() {
        assertThat(decide(0, LoadView.fixed(3, 0, 0, 0)).reason()).isEqualTo(Reason.NEAREST);
        assertThat(decide(0, LoadView.fixed(104, 100, 100, 100)).reason()).isEqualTo(Reason.NEAREST);
    }

    @Test
    void aBandThatIsHotAsAWholeIsDoubled() {
        Decision.Chosen chosen = decide(0.105, LoadView.fixed(9, 1, 0, 0));

        assertThat(bandOf(chosen)).containsExactly(1);
        assertThat(chosen.band().orElseThrow().tau()).isEqualTo(0.21);
        assertThat(chosen.reason()).isEqualTo(Reason.WIDENED);
    }

    @Test
    void whereDoublingDoesNotHelpAllThatAreNotHotAreInTheBand() {
        Decision.Chosen chosen = decide(0, LoadView.fixed(9, 1, 2, 1));

        assertThat(bandOf(chosen)).containsExactly(1, 2, 3);
        assertThat(chosen.index()).isEqualTo(1);
        assertThat(chosen.band().orElseThrow().tau()).isEqualTo(BandRule.WIDEST_TAU);
        assertThat(chosen.reason()).isEqualTo(Reason.WIDENED);
    }

    @Test
    void aFullCacheIsHotWhateverTheLoadAndWhereAllAreFullAllServe() {
        Decision.Chosen one = decide(0, cached(0.96, 0.95, 0.2, 0.1));
        assertThat(one.reason()).isEqualTo(Reason.WIDENED);
        assertThat(bandOf(one)).containsExactly(1, 2, 3);

        Decision.Chosen all = decide(0, cached(0.96, 0.97, 0.98, 0.99));
        assertThat(all.reason()).isEqualTo(Reason.WIDENED);
        assertThat(bandOf(all)).containsExactly(0, 1, 2, 3);
        assertThat(all.index()).isZero();
    }

    @Test
    void loadIsJudgedInRelationToWeight() {
        List<Decoder> decoders = List.of(
                TestPools.decoder("decoder-0", 8),
                TestPools.decoder("decoder-1"),
                TestPools.decoder("decoder-2"),
                TestPools.decoder("decoder-3"));
        PoolSnapshot snapshot = PoolSnapshot.of(
                "demo",
                1,
                Optional.of(ActiveArtifact.of(1, FOUR, TestPools.slots(4))),
                decoders,
                new BandRule(0, 1, Optional.of(HotRule.DEFAULT)),
                false);
        assertThat(decide(snapshot, LoadView.fixed(16, 2, 2, 2)).reason()).isEqualTo(Reason.NEAREST);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void nobodyHotIsChosenWhileSomebodyIsNot(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int size = random.nextInt(1, 14);
        RoutingArtifact artifact = TestPools.randomArtifact(random, Representation.COUNT, 2, 6, size);
        int[] inFlight = random.ints(size, 0, 30)
                .map(load -> random.nextInt(3) == 0 ? load : 0)
                .toArray();
        PoolSnapshot snapshot = PoolSnapshot.of(
                "demo",
                1,
                Optional.of(ActiveArtifact.of(1, artifact, TestPools.slots(size))),
                TestPools.decoders(size),
                new BandRule(random.nextInt(3) * 0.05, 1, Optional.of(HotRule.DEFAULT)),
                false);
        Decision.Chosen chosen = (Decision.Chosen) PolicyName.ELDR
                .create()
                .decide(
                        DecisionRequest.of(TestPools.randomCounts(random, 2, 6)),
                        snapshot,
                        LoadView.fixed(inFlight),
                        new SplittableRandom(seed));
        double mean = IntStream.of(inFlight).average().orElseThrow();

        // Somebody is always at or below the mean.
        assertThat(HotRule.DEFAULT.isHot(inFlight[chosen.index()], mean, OptionalDouble.empty()))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "0.5,4,0.9,hot.factor",
        "NaN,4,0.9,hot.factor",
        "2,-1,0.9,hot.minExcess",
        "2,4,0,hot.kvCap",
        "2,4,1.1,hot.kvCap"
    })
    void aRuleOutsideItsRangesIsRefusedByName(double factor, int minExcess, double kvCap, String field) {
        assertThatThrownBy(() -> new HotRule(factor, minExcess, kvCap))
                .isInstanceOfSatisfying(
                        InvalidInputException.class, e -> assertThat(e.field()).isEqualTo(field));
    }

    private static Decision.Chosen decide(double tau, LoadView loads) {
        return decide(snapshot(new BandRule(tau, 1, Optional.of(HotRule.DEFAULT))), loads);
    }

    private static PoolSnapshot snapshot(BandRule rule) {
        return PoolSnapshot.of(
                "demo",
                1,
                Optional.of(ActiveArtifact.of(1, FOUR, TestPools.slots(4))),
                TestPools.decoders(4),
                rule,
                false);
    }

    private static Decision.Chosen decide(PoolSnapshot snapshot, LoadView loads) {
        return (Decision.Chosen) PolicyName.ELDR
                .create()
                .decide(DecisionRequest.of(FIRST_EXPERT), snapshot, loads, new SplittableRandom(1));
    }

    /** Idle decoders with their caches filled so far. */
    private static LoadView cached(double... use) {
        LoadView idle = LoadView.idle(use.length);
        return new LoadView() {
            @Override
            public int size() {
                return idle.size();
            }

            @Override
            public int inFlight(int decoder) {
                return idle.inFlight(decoder);
            }

            @Override
            public OptionalDouble kvUse(int decoder) {
                return OptionalDouble.of(use[decoder]);
            }
        };
    }

    private static List<Integer> bandOf(Decision.Chosen chosen) {
        return chosen.band().orElseThrow().members().stream()
                .map(Band.Member::index)
                .toList();
    }
}
