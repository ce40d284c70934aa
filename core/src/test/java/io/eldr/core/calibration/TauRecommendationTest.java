package io.eldr.core.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TauRecommendationTest {
    static LongStream seeds() {
        return LongStream.range(0, 100);
    }

    @Test
    void aimsAtAQuarterOfTheDecodersButAtLeastOneAndAQuarterAndAtMostTwo() {
        assertThat(IntStream.of(1, 2, 4, 5, 6, 8, 16, 256)
                        .mapToDouble(TauRecommendation::targetBand)
                        .toArray())
                .containsExactly(1, 1.25, 1.25, 1.25, 1.5, 2, 2, 2);
    }

    @Test
    void gapsAreMeasuredFromTheBestSimilarity() {
        assertThat(TauRecommendation.gaps(new double[] {0.5, 0.75, 0.25})).containsExactly(0.25, 0, 0.5);
    }

    @Test
    void theMeanBandCountsTheClustersWithinTau() {
        double[] gaps = {0, 0.1, 0.4, /* */ 0.3, 0, 0.1};

        assertThat(TauRecommendation.meanBand(gaps, 3, 0)).isEqualTo(1);
        assertThat(TauRecommendation.meanBand(gaps, 3, 0.1)).isEqualTo(2);
        assertThat(TauRecommendation.meanBand(gaps, 3, 0.39)).isEqualTo(2.5);
        assertThat(TauRecommendation.meanBand(gaps, 3, 1)).isEqualTo(3);
    }

    @Test
    void theRecommendedTauLiesBetweenTheLastGapNeededAndTheNext() {
        double[] gaps = {0, 0.1, 0.4, 0.5, /* */ 0.3, 0, 0.2, 0.9, /* */ 0.4, 0.4, 0, 0.6, /* */ 0, 0.7, 0.7, 0.7};

        assertThat(TauRecommendation.recommend(gaps, 4)).isCloseTo(0.15, within(1e-12));
    }

    @Test
    void aSingleClusterNeedsNoBand() {
        assertThat(TauRecommendation.recommend(new double[] {0, 0, 0}, 1)).isZero();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theRecommendedTauReachesTheTargetAndNoNarrowerBandDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int clusters = random.nextInt(1, 20);
        int requests = random.nextInt(1, 50);
        double grain = random.nextBoolean() ? 0.05 : 1e-9;
        double[] gaps = IntStream.range(0, requests)
                .boxed()
                .flatMapToDouble(_ -> IntStream.range(0, clusters)
                        .mapToDouble(k -> k == 0 ? 0 : Math.floor(random.nextDouble() / grain) * grain))
                .toArray();
        double target = TauRecommendation.targetBand(clusters);

        double tau = TauRecommendation.recommend(gaps, clusters);

        assertThat(TauRecommendation.meanBand(gaps, clusters, tau)).isGreaterThanOrEqualTo(target - 1e-12);
        double lastWithin = IntStream.range(0, gaps.length)
                .mapToDouble(i -> gaps[i])
                .filter(gap -> gap <= tau)
                .max()
                .orElseThrow();
        if (lastWithin > 0) {
            assertThat(TauRecommendation.meanBand(gaps, clusters, Math.nextDown(lastWithin)))
                    .isLessThan(target);
        }
    }

    @Test
    void gapsThatAreNotWholeRequestsAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> TauRecommendation.recommend(new double[] {0, 1, 0}, 2));
        assertThatIllegalArgumentException().isThrownBy(() -> TauRecommendation.meanBand(new double[0], 2, 0.1));
    }
}
