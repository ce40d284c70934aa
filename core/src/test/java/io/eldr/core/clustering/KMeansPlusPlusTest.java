package io.eldr.core.clustering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.vector.Parallel;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KMeansPlusPlusTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void choosesEachOfAsManyDifferentRowsOnce(long seed) {
        SignatureMatrix matrix = SignatureMatrix.of(3, TestMatrices.clustered(12, 3, 12, seed));

        assertThat(seeds(matrix, 12, seed)).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    }

    @Test
    void choosesFarRowsWithAProbabilityProportionalToTheirSquaredDistance() {
        // From row 0 the squared distances are 2 - 2 * 0.8 = 0.4 and 2: rows 1 and 2 follow it in the ratio 1 to 5.
        SignatureMatrix matrix = SignatureMatrix.of(2, new float[][] {{1, 0}, {0.8f, 0.6f}, {0, 1}});
        int[][] followers = new int[3][3];
        for (int seed = 0; seed < 9_000; seed++) {
            int[] chosen = seeds(matrix, 2, seed);
            followers[chosen[0]][chosen[1]]++;
        }

        int first = Arrays.stream(followers[0]).sum();
        assertThat(first).isBetween(2_800, 3_200);
        assertThat(followers[0][0]).isZero();
        assertThat(followers[0][1] / (double) first).isBetween(1 / 6.0 - 0.03, 1 / 6.0 + 0.03);
    }

    @Test
    void choosesAnyThreeRowsWithTheProbabilityOfDrawingThemOneAfterTheOther() {
        float[][] rows = {{1, 0, 0}, {0.8f, 0.6f, 0}, {0, 1, 0}, {0, 0.6f, 0.8f}, {0.6f, 0, 0.8f}};
        SignatureMatrix matrix = SignatureMatrix.of(3, rows);
        int runs = 40_000;
        int[][][] found = new int[5][5][5];
        for (int seed = 0; seed < runs; seed++) {
            int[] chosen = seeds(matrix, 3, seed);
            found[chosen[0]][chosen[1]][chosen[2]]++;
        }

        for (int i = 0; i < 5; i++) {
            double[] first = distances(rows, i);
            for (int j = 0; j < 5; j++) {
                double[] second = distances(rows, j);
                Arrays.setAll(second, row -> Math.min(first[row], second[row]));
                for (int k = 0; k < 5; k++) {
                    double expected = first[j]
                            / Arrays.stream(first).sum()
                            * second[k]
                            / Arrays.stream(second).sum()
                            / 5;
                    assertThat(found[i][j][k] / (double) runs)
                            .as("rows %s, %s, %s", i, j, k)
                            .isCloseTo(expected, within(5 * Math.sqrt(expected / runs) + 1e-6));
                }
            }
        }
    }

    @Test
    void neverChoosesAZeroRow() {
        SignatureMatrix matrix = SignatureMatrix.of(2, new float[][] {{0, 0}, {1, 0}, {0, 0}, {0, 1}, {0, 0}});
        for (int seed = 0; seed < 50; seed++) {
            assertThat(seeds(matrix, 2, seed)).containsExactlyInAnyOrder(1, 3);
            assertThat(seeds(matrix, 4, seed)).containsOnly(1, 3);
        }
    }

    @Test
    void copesWithIdenticalRows() {
        float[][] rows = new float[5][];
        Arrays.fill(rows, new float[] {0.6f, 0.8f});

        assertThat(seeds(SignatureMatrix.of(2, rows), 4, 1)).hasSize(4);
    }

    @Test
    void refusesRowsThatAreAllZero() {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> seeds(SignatureMatrix.of(2, new float[3][2]), 2, 1))
                .withMessage("signatures: are all zero");
    }

    /** Squared, from one of the rows to each. */
    private static double[] distances(float[][] rows, int from) {
        double[] distances = new double[rows.length];
        for (int row = 0; row < rows.length; row++) {
            for (int d = 0; d < rows[row].length; d++) {
                double difference = rows[row][d] - rows[from][d];
                distances[row] += difference * difference;
            }
        }
        return distances;
    }

    private static int[] seeds(SignatureMatrix matrix, int clusters, long seed) {
        return KMeansPlusPlus.seeds(matrix, clusters, new SplittableRandom(seed), Parallel.sequential());
    }
}
