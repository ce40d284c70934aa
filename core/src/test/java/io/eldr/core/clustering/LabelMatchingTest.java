package io.eldr.core.clustering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.signature.InvalidInputException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LabelMatchingTest {
    @Test
    void givesShuffledCentroidsTheirOldLabelsBack() {
        float[][] rows = TestMatrices.clustered(5, 10, 5, 1);
        int[] order = {3, 0, 4, 1, 2};
        float[][] shuffled = Arrays.stream(order).mapToObj(i -> rows[i]).toArray(float[][]::new);

        LabelMatching matching = LabelMatching.of(centroids(shuffled), centroids(rows));

        for (int k = 0; k < 5; k++) {
            assertThat(matching.oldOf(k)).hasValue(order[k]);
            assertThat(matching.newOf(order[k])).hasValue(k);
        }
        assertThat(matching.similarity()).isCloseTo(5, within(1e-5));
    }

    @Test
    void takesTheBestTotalNotTheBestPair() {
        // The best pair 0-0 would leave 0.9 + 0.1; crosswise it is 0.8 + 0.7.
        LabelMatching matching = LabelMatching.of(2, 2, new double[] {0.9, 0.8, 0.7, 0.1});

        assertThat(matching.oldOf(0)).hasValue(1);
        assertThat(matching.oldOf(1)).hasValue(0);
        assertThat(matching.similarity()).isCloseTo(1.5, within(1e-12));
    }

    @Test
    void leavesOutNewClustersThatAreTooMany() {
        LabelMatching matching = LabelMatching.of(3, 2, new double[] {0.1, 0.2, 0.9, 0.3, 0.4, 0.8});

        assertThat(matching.oldOf(0)).isEmpty();
        assertThat(matching.oldOf(1)).hasValue(0);
        assertThat(matching.oldOf(2)).hasValue(1);
        assertThat(matching.newOf(0)).hasValue(1);
        assertThat(matching.newOf(1)).hasValue(2);
    }

    @Test
    void leavesOutOldClustersThatAreTooMany() {
        LabelMatching matching = LabelMatching.of(2, 3, new double[] {0.1, 0.9, 0.4, 0.2, 0.3, 0.8});

        assertThat(matching.oldOf(0)).hasValue(1);
        assertThat(matching.oldOf(1)).hasValue(2);
        assertThat(matching.newOf(0)).isEmpty();
    }

    @Test
    void matchesNothingWithNothing() {
        LabelMatching matching = LabelMatching.of(2, 0, new double[0]);

        assertThat(matching.oldOf(0)).isEmpty();
        assertThat(matching.oldOf(1)).isEmpty();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void isAsSimilarAsTheBestOfAllMatchings(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 30; round++) {
            int newCount = 1 + random.nextInt(6);
            int oldCount = 1 + random.nextInt(6);
            double[] similarities =
                    random.doubles((long) newCount * oldCount, -1, 1).toArray();

            LabelMatching matching = LabelMatching.of(newCount, oldCount, similarities);

            assertThat(matching.similarity())
                    .isCloseTo(best(similarities, oldCount, 0, newCount, new boolean[oldCount], 0), within(1e-12));
            assertThat(IntStream.range(0, newCount)
                            .filter(k -> matching.oldOf(k).isPresent())
                            .count())
                    .isEqualTo(Math.min(newCount, oldCount));
        }
    }

    @Test
    void refusesCentroidsOfDifferentSpaces() {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() ->
                        LabelMatching.of(centroids(new float[][] {{1, 0}}), centroids(new float[][] {{1, 0, 0}})))
                .withMessageContaining("centroids: have 2 dimensions and cannot be compared with 3");
    }

    /** The best total when exactly min(new, old) pairs are matched. */
    private static double best(
            double[] similarities, int oldCount, int newer, int newCount, boolean[] taken, int skipped) {
        if (newer == newCount) {
            return 0;
        }
        double best = Double.NEGATIVE_INFINITY;
        if (skipped < newCount - oldCount) {
            best = best(similarities, oldCount, newer + 1, newCount, taken, skipped + 1);
        }
        for (int older = 0; older < oldCount; older++) {
            if (!taken[older]) {
                taken[older] = true;
                best = Math.max(
                        best,
                        similarities[newer * oldCount + older]
                                + best(similarities, oldCount, newer + 1, newCount, taken, skipped));
                taken[older] = false;
            }
        }
        return best;
    }

    private static Centroids centroids(float[][] rows) {
        float[] values = new float[rows.length * rows[0].length];
        for (int k = 0; k < rows.length; k++) {
            System.arraycopy(rows[k], 0, values, k * rows[k].length, rows[k].length);
        }
        return Centroids.of(rows.length, rows[0].length, values);
    }
}
