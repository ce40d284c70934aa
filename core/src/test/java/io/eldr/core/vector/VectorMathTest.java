package io.eldr.core.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VectorMathTest {
    @ParameterizedTest(name = "length {0}")
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 64, 127, 1_000, 6_144})
    void agreesWithPlainSums(int length) {
        SplittableRandom random = new SplittableRandom(length);
        float[] row = randomRow(length, random);
        for (int matrixRows : new int[] {1, 2, 3, 4, 5, 8, 11}) {
            float[] matrix = randomRow(matrixRows * length, random);
            double[] out = new double[matrixRows + 2];
            VectorMath.dots(row, matrix, matrixRows, out, 1);
            for (int k = 0; k < matrixRows; k++) {
                double expected = plainDot(row, 0, matrix, k * length, length);
                assertThat(out[1 + k]).isCloseTo(expected, within(1e-9));
                assertThat(VectorMath.dot(row, 0, matrix, k * length, length)).isCloseTo(expected, within(1e-9));
            }
            assertThat(out[0]).isZero();
            assertThat(out[matrixRows + 1]).isZero();
        }
        double[] sums = new double[length];
        VectorMath.add(row, sums);
        VectorMath.add(row, sums);
        for (int i = 0; i < length; i++) {
            assertThat(sums[i]).isEqualTo(2.0 * row[i]);
        }
    }

    @Test
    void doesNotRoundOnCounts() {
        float[] counts = new float[4_096];
        long expected = 0;
        for (int i = 0; i < counts.length; i++) {
            counts[i] = 32_767 - i;
            expected += (32_767L - i) * (32_767L - i);
        }
        assertThat(VectorMath.dot(counts, counts)).isEqualTo((double) expected);
    }

    @Test
    void refusesLengthsThatDoNotFit() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> VectorMath.dot(new float[2], new float[3]));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> VectorMath.dots(new float[2], new float[5], 2, new double[2], 0));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> VectorMath.dots(new float[2], new float[4], 2, new double[2], 1));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> VectorMath.dot(new float[4], 2, new float[4], 0, 3));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> VectorMath.add(new float[2], new double[3]));
    }

    private static float[] randomRow(int length, SplittableRandom random) {
        float[] row = new float[length];
        for (int i = 0; i < length; i++) {
            row[i] = (float) random.nextDouble(-1, 1);
        }
        return row;
    }

    private static double plainDot(float[] a, int aOffset, float[] b, int bOffset, int length) {
        double sum = 0;
        for (int i = 0; i < length; i++) {
            sum += (double) a[aOffset + i] * b[bOffset + i];
        }
        return sum;
    }
}
