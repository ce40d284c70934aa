package io.eldr.core.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.artifact.ClusterContrast.DistinctExpert;
import io.eldr.core.clustering.Centroids;
import io.eldr.core.placement.DecodePatterns;
import io.eldr.core.placement.PatternBasis;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.Representation;
import io.eldr.core.signature.SignatureSpec;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterContrastTest {
    /** In layer 0 both clusters use the same experts, in layer 1 none in common. */
    private static final double[] PATTERNS = {
        1, 1, 0, 0, 1, 1, 0, 0,
        1, 1, 0, 0, 0, 0, 1, 1,
    };

    private final ClusterContrast contrast = ClusterContrast.of(artifact(2, Optional.of(PATTERNS)));

    @Test
    void tellsTheLayersThatSetAClusterApart() {
        assertThat(contrast.layerContrasts(0)).containsExactly(0, 1);
        assertThat(contrast.layerContrasts(1)).containsExactly(0, 1);
    }

    @Test
    void namesTheExpertsThatOneClusterUsesAndOthersDoNot() {
        assertThat(contrast.distinctExperts(0, 5))
                .containsExactly(new DistinctExpert(1, 0, 1, 0), new DistinctExpert(1, 1, 1, 0));
        assertThat(contrast.distinctExperts(1, 1)).containsExactly(new DistinctExpert(1, 2, 1, 0));
    }

    @Test
    void showsUseAndItsMean() {
        assertThat(contrast.use(1, 1)).containsExactly(0, 0, 1, 1);
        assertThat(contrast.meanUse(1)).containsExactly(0.5, 0.5, 0.5, 0.5);
        assertThat(contrast.basis(1)).contains(PatternBasis.DECODE);
        assertThat(contrast.knows(0)).isTrue();
    }

    @Test
    void goesByTheCentroidsWhereThereAreNoPatterns() {
        ClusterContrast bare = ClusterContrast.of(artifact(2, Optional.empty()));

        assertThat(bare.basis(0)).isEmpty();
        assertThat(bare.knows(0)).as("a layer outside the mask").isFalse();
        assertThat(bare.use(0, 0)).containsOnly(0);
        assertThat(bare.use(0, 1)).containsExactly(2, 0, 0, 0);
        assertThat(bare.layerContrasts(0)).containsExactly(0, 1);
    }

    @Test
    void aSingleClusterDiffersFromNothing() {
        ClusterContrast single = ClusterContrast.of(artifact(1, Optional.of(new double[] {1, 1, 0, 0, 1, 1, 0, 0})));

        assertThat(single.layerContrasts(0)).containsExactly(0, 0);
        assertThat(single.distances()).isDeepEqualTo(new double[][] {{0}});
    }

    @Test
    void measuresHowFarCentroidsAreApart() {
        assertThat(contrast.distances()).isDeepEqualTo(new double[][] {{0, 1}, {1, 0}});
        ClusterContrast random = ClusterContrast.of(SampleArtifacts.random(4, Representation.COUNT));
        double[][] distances = random.distances();
        for (int one = 0; one < distances.length; one++) {
            for (int other = 0; other < distances.length; other++) {
                assertThat(distances[one][other]).isCloseTo(distances[other][one], within(0.0));
                assertThat(distances[one][other]).isBetween(0.0, 2.0);
            }
        }
    }

    /** Centroids along one expert each of layer 1, the only one in the mask. */
    private static RoutingArtifact artifact(int clusters, Optional<double[]> patterns) {
        float[] centroids = new float[clusters * 4];
        for (int k = 0; k < clusters; k++) {
            centroids[k * 4 + k] = 1;
        }
        return new RoutingArtifact(
                new ModelIdentity("tiny", "", new Geometry(2, 4, 2)),
                SignatureSpec.count(2, 4, LayerMask.of(2, 1)),
                Centroids.of(clusters, 4, centroids),
                List.of("d-0", "d-1").subList(0, clusters),
                0.1,
                new Evidence(
                        10,
                        0,
                        Map.of(),
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        patterns.map(values ->
                                DecodePatterns.of(2, 4, Collections.nCopies(clusters, PatternBasis.DECODE), values)),
                        Map.of(),
                        Map.of()));
    }
}
