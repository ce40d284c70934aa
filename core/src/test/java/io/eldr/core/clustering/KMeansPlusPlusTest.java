package io.eldr.core.clustering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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

    private static int[] seeds(SignatureMatrix matrix, int clusters, long seed) {
        return KMeansPlusPlus.seeds(matrix, clusters, new SplittableRandom(seed), Parallel.sequential());
    }
}
