package io.eldr.core.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Representation;
import io.eldr.core.signature.Signature;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FoldedCentroidsTest {
    private static final List<Representation> REPRESENTATIONS =
            List.of(Representation.COUNT, Representation.COUNT_IDF, Representation.BINARY);

    static LongStream seeds() {
        return LongStream.range(0, 60);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void agreesWithTheCosineOfTheSignatureToEachCentroid(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Representation representation = REPRESENTATIONS.get((int) (seed % 3));
        int layers = random.nextInt(1, 9);
        int experts = random.nextInt(1, 33);
        RoutingArtifact artifact =
                TestPools.randomArtifact(random, representation, layers, experts, random.nextInt(1, 12));
        FoldedCentroids folded = FoldedCentroids.of(artifact);
        for (int i = 0; i < 20; i++) {
            ExpertCounts counts = TestPools.randomCounts(random, layers, experts);
            Signature signature = artifact.spec().signatureOf(counts);
            double[] similarities = new double[artifact.clusters()];

            boolean significant = folded.similarities(counts, similarities);

            assertThat(significant).isEqualTo(!signature.isZero());
            for (int k = 0; k < similarities.length; k++) {
                assertThat(similarities[k]).isCloseTo(artifact.centroids().similarity(k, signature), within(1e-4));
            }
        }
    }

    @Test
    void agreesForCountsAsLargeAsAnIntegerHolds() {
        RoutingArtifact artifact = TestPools.artifact(new double[] {3, 4}, new double[] {1, 0});
        ExpertCounts counts = TestPools.counts(Integer.MAX_VALUE, Integer.MAX_VALUE);
        double[] similarities = new double[2];

        FoldedCentroids.of(artifact).similarities(counts, similarities);

        assertThat(similarities[0]).isCloseTo(1.4 / Math.sqrt(2), within(1e-4));
        assertThat(similarities[1]).isCloseTo(1 / Math.sqrt(2), within(1e-4));
    }

    @Test
    void zeroCountsAreSimilarToNothing() {
        double[] similarities = {7, 7};

        boolean significant = FoldedCentroids.of(TestPools.artifact(new double[] {3, 4}, new double[] {1, 0}))
                .similarities(TestPools.counts(0, 0), similarities);

        assertThat(significant).isFalse();
        assertThat(similarities).containsExactly(0, 0);
    }

    @Test
    void countsOfAnotherShapeAreRefused() {
        FoldedCentroids folded = FoldedCentroids.of(TestPools.artifact(new double[] {3, 4}));

        assertThat(folded.accepts(ExpertCounts.zero(2, 1))).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> folded.similarities(ExpertCounts.zero(2, 1), new double[1]));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> folded.similarities(ExpertCounts.zero(1, 2), new double[2]));
    }
}
