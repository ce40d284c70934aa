package io.eldr.core.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.load.LoadView;
import java.time.Instant;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class StarvationWatchTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** Similarities to a request that only uses expert 0: 1.0, 0.8, 0.6 and 0.0. */
    private static final RoutingArtifact FOUR =
            TestPools.artifact(new double[] {1, 0}, new double[] {4, 3}, new double[] {3, 4}, new double[] {0, 1});

    private final PoolSnapshot snapshot = TestPools.snapshot(FOUR, TestPools.decoders(4), 0, 1);
    private final StarvationWatch watch = new StarvationWatch(StarvationRule.DEFAULT);
    private final RoutingPolicy policy = watch.guarding(PolicyName.ELDR.create());

    @Test
    void noDecoderStaysIdleForFiveSecondsWhileAnotherQueuesTwiceTheMean() {
        watchAfter(0, 8, 1, 0, 1);
        watchAfter(4.9, 8, 1, 0, 1);
        assertThat(decide(8, 1, 0, 1).reason()).isEqualTo(Reason.NEAREST);
        watchAfter(5, 8, 1, 0, 1);

        Decision.Chosen relieved = decide(8, 1, 0, 1);
        assertThat(relieved.index()).isEqualTo(2);
        assertThat(relieved.reason()).isEqualTo(Reason.WIDENED);
        assertThat(relieved.seen()).isZero();
        assertThat(relieved.cluster()).hasValue(2);
        assertThat(relieved.similarity()).hasValue(relieved.evaluation().similarity(2));
        assertThat(relieved.fallbacks()).extracting(Decoder::id).containsExactly("decoder-0", "decoder-1", "decoder-3");
    }

    @Test
    void onceItHasARequestTheNextGoesByTheBandAgain() {
        watchAfter(0, 8, 1, 0, 1);
        watchAfter(6, 8, 1, 0, 1);

        assertThat(decide(8, 1, 1, 1).reason()).isEqualTo(Reason.NEAREST);
        watchAfter(7, 8, 1, 1, 1);
        assertThat(watch.starving()).isEmpty();
    }

    @Test
    void theMostSimilarOfThoseThatStarveIsServedFirst() {
        watchAfter(0, 9, 0, 0, 0);
        watchAfter(5, 9, 0, 0, 0);

        assertThat(watch.starving()).hasSize(3);
        assertThat(decide(9, 0, 0, 0).index()).isEqualTo(1);
        assertThat(decide(9, 1, 0, 0).index()).isEqualTo(2);
    }

    @Test
    void whoWasBusyInBetweenStartsAnew() {
        watchAfter(0, 8, 1, 0, 1);
        watchAfter(3, 8, 1, 2, 1);
        watchAfter(4, 8, 1, 0, 1);
        watchAfter(8, 8, 1, 0, 1);
        assertThat(watch.starving()).isEmpty();
        watchAfter(9, 8, 1, 0, 1);
        assertThat(watch.starving()).hasSize(1);
    }

    @Test
    void nobodyStarvesWhileNobodyQueues() {
        watchAfter(0, 1, 0, 0, 0);
        watchAfter(60, 1, 0, 0, 0);
        assertThat(watch.starving()).isEmpty();
        watchAfter(61, 3, 3, 3, 0);
        watchAfter(120, 3, 3, 3, 0);
        assertThat(watch.starving()).isEmpty();
    }

    @Test
    void oneOfTwoDecodersCanStarveToo() {
        PoolSnapshot two = TestPools.snapshot(
                TestPools.artifact(new double[] {1, 0}, new double[] {0, 1}), TestPools.decoders(2), 0, 1);
        watch.observe(two, LoadView.fixed(4, 0), START);
        watch.observe(two, LoadView.fixed(4, 0), START.plusSeconds(5));
        assertThat(watch.starving()).containsExactly(two.decoder(1).incarnation());
    }

    @Test
    void aRequestThatMayNotGoThereAndOneWithoutASignatureAreLeftAlone() {
        watchAfter(0, 8, 1, 0, 1);
        watchAfter(5, 8, 1, 0, 1);
        LoadView loads = LoadView.fixed(8, 1, 0, 1);
        Decision.Chosen elsewhere = (Decision.Chosen) policy.decide(
                DecisionRequest.of(TestPools.counts(5, 0)).notTo(Set.of("decoder-2")),
                snapshot,
                loads,
                new SplittableRandom(1));
        assertThat(elsewhere.index()).isZero();
        Decision.Chosen unknown =
                (Decision.Chosen) policy.decide(DecisionRequest.unknown(), snapshot, loads, new SplittableRandom(1));
        assertThat(unknown.reason()).isEqualTo(Reason.NO_SIGNATURE);
    }

    private void watchAfter(double seconds, int... inFlight) {
        watch.observe(snapshot, LoadView.fixed(inFlight), START.plusMillis(Math.round(seconds * 1_000)));
    }

    private Decision.Chosen decide(int... inFlight) {
        return (Decision.Chosen) policy.decide(
                DecisionRequest.of(TestPools.counts(5, 0)),
                snapshot,
                LoadView.fixed(inFlight),
                new SplittableRandom(1));
    }
}
