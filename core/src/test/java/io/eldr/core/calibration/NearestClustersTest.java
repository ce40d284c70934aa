package io.eldr.core.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.clustering.Centroids;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.SignatureSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NearestClustersTest {
    private static final SignatureSpec SPEC = SignatureSpec.count(1, 2, LayerMask.all(1));
    private static final Centroids AXES = Centroids.of(2, 2, new float[] {1, 0, 0, 1});

    @Test
    void gapsAndSharesAreThoseWorkedOutByHand() {
        // Similarities (0.6, 0.8), (0.8, 0.6), (1, 0): gaps 0.2, 0.2 and 1 beside the three zeros.
        NearestClusters nearest = NearestClusters.of(SPEC, AXES, List.of(counts(3, 4), counts(4, 3), counts(5, 0)));
        assertThat(nearest.shares()).containsExactly(2 / 3.0, 1 / 3.0);
        assertThat(nearest.meanBestSimilarity()).isCloseTo(2.6 / 3, within(1e-7));
        assertThat(nearest.meanBand(0)).isEqualTo(1);
        assertThat(nearest.meanBand(0.19)).isEqualTo(1);
        assertThat(nearest.meanBand(0.21)).isCloseTo(5 / 3.0, within(1e-12));
        assertThat(nearest.meanBand(1)).isEqualTo(2);
    }

    @Test
    void recommendedTauIsTheSmallestThatReachesTheTargetBand() {
        // K = 2: the target is max(1.25, 0.5) = 1.25, so 4 of 6 gaps must lie within tau.
        NearestClusters nearest = NearestClusters.of(SPEC, AXES, List.of(counts(3, 4), counts(4, 3), counts(5, 0)));
        assertThat(nearest.recommendedTau()).isCloseTo(0.2, within(2e-5));
        assertThat(nearest.meanBand(nearest.recommendedTau())).isGreaterThanOrEqualTo(1.25);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void recommendedTauReachesItsTargetAndNoClearlySmallerOneDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int clusters = 1 + random.nextInt(12);
        List<ExpertCounts> requests = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            requests.add(counts(random.nextInt(20), 1 + random.nextInt(20)));
        }
        NearestClusters nearest = NearestClusters.of(SPEC, fan(clusters), requests);
        double tau = nearest.recommendedTau();
        double target = Math.min(clusters, Math.min(2, Math.max(1.25, clusters / 4.0)));
        assertThat(nearest.meanBand(tau)).isGreaterThanOrEqualTo(target);
        if (tau > 0) {
            assertThat(nearest.meanBand(tau - 2e-5)).isLessThan(target);
        }
    }

    @Test
    void requestsWithoutSignatureAreLeftOut() {
        NearestClusters nearest = NearestClusters.of(SPEC, AXES, List.of(counts(0, 0), counts(1, 0)));
        assertThat(nearest.requests()).isEqualTo(1);
        assertThat(nearest.shares()).containsExactly(1.0, 0.0);
        assertThat(NearestClusters.of(SPEC, AXES, List.of(counts(0, 0))).recommendedTau())
                .isZero();
    }

    @Test
    void statisticsHoldWhatDriftIsComparedWith() {
        var statistics = NearestClusters.of(SPEC, AXES, List.of(counts(3, 4), counts(5, 0)))
                .statistics(0.3);
        assertThat(statistics.requests()).isEqualTo(2);
        assertThat(statistics.similarityHistogram()).hasSize(200);
        assertThat(statistics.similarityHistogram().get(160)).isEqualTo(1);
        assertThat(statistics.similarityHistogram().get(199)).isEqualTo(1);
        assertThat(statistics.gaps()).hasSize(4).isSorted();
        assertThat(statistics.meanBand()).isEqualTo(1.5);
    }

    private static Centroids fan(int clusters) {
        float[] values = new float[2 * clusters];
        for (int k = 0; k < clusters; k++) {
            double angle = Math.PI / 2 * k / clusters;
            values[2 * k] = (float) Math.cos(angle);
            values[2 * k + 1] = (float) Math.sin(angle);
        }
        return Centroids.of(clusters, 2, values);
    }

    private static ExpertCounts counts(int... cells) {
        return ExpertCounts.of(1, 2, cells);
    }
}
