package io.eldr.core.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The Vector API kernels against their scalar twin: not nearly the same, but the same bits. */
class KernelsTest {
    private static final VectorKernels SCALAR = new ScalarKernels();
    private static final VectorKernels FAST = new VectorApiKernels();
    private static final VectorKernels WIDE = new WideVectorApiKernels();

    static Stream<Arguments> lengthsAndSeeds() {
        return IntStream.concat(IntStream.rangeClosed(0, 70), IntStream.of(127, 128, 129, 6_144))
                .boxed()
                .flatMap(length -> Stream.of(1L, 2L, 3L).map(seed -> Arguments.of(length, seed)));
    }

    @ParameterizedTest(name = "length {0}, seed {1}")
    @MethodSource("lengthsAndSeeds")
    void bothKernelsGiveTheSameBits(int length, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int offset : new int[] {0, 1, 3, 8}) {
            float[] a = values(offset + length + 5, random);
            float[] b = values(2 * offset + length, random);
            double expected = SCALAR.dot(a, offset, b, 2 * offset, length);
            assertThat(FAST.dot(a, offset, b, 2 * offset, length)).isEqualTo(expected);
            double absolute = IntStream.range(0, length)
                    .mapToDouble(i -> Math.abs((double) a[offset + i] * b[2 * offset + i]))
                    .sum();
            assertThat(expected).isCloseTo(plainDot(a, offset, b, 2 * offset, length), within(1e-12 * absolute));
        }
        float[] row = values(length, random);
        for (int matrixRows : new int[] {0, 1, 2, 3, 4, 5, 7, 8, 9, 16}) {
            float[] matrix = values(matrixRows * length, random);
            double[] expected = new double[matrixRows + 3];
            double[] actual = new double[matrixRows + 3];
            SCALAR.dots(row, matrix, matrixRows, expected, 2);
            FAST.dots(row, matrix, matrixRows, actual, 2);
            assertThat(actual).isEqualTo(expected);
            for (int k = 0; k < matrixRows; k++) {
                assertThat(actual[2 + k]).isEqualTo(FAST.dot(row, 0, matrix, k * length, length));
            }
        }
        double[] expected = IntStream.range(0, length).mapToDouble(i -> i - 0.1).toArray();
        double[] actual = expected.clone();
        for (int i = 0; i < length; i++) {
            expected[i] += row[i];
        }
        FAST.add(row, actual);
        assertThat(actual).isEqualTo(expected);
    }

    @ParameterizedTest(name = "length {0}, seed {1}")
    @MethodSource("lengthsAndSeeds")
    void theQuickOnesGiveTheSameBitsTooAndAreNearTheTruth(int length, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        float[] a = new float[length];
        float[] b = new float[length];
        double dot = 0;
        double sum = 0;
        for (int i = 0; i < length; i++) {
            a[i] = random.nextFloat();
            b[i] = random.nextFloat();
            dot += (double) a[i] * b[i];
            sum += a[i];
        }
        double off = (length / 32 + 40) * 0x1p-24;
        assertThat((double) SCALAR.quickDot(a, b)).isCloseTo(dot, within(off * dot));
        assertThat((double) SCALAR.quickSum(a)).isCloseTo(sum, within(off * sum));
        for (VectorKernels kernels : List.of(FAST, WIDE)) {
            assertThat(kernels.quickDot(a, b)).isEqualTo(SCALAR.quickDot(a, b));
            assertThat(kernels.quickSum(a)).isEqualTo(SCALAR.quickSum(a));
        }
    }

    @ParameterizedTest(name = "length {0}, seed {1}")
    @MethodSource("lengthsAndSeeds")
    void blocksOfRowsGiveTheBitsOfSingleRows(int length, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int from = random.nextInt(3);
        for (int count : new int[] {0, 1, 2, 3, 4, 5, 9}) {
            int matrixRows = random.nextInt(11);
            float[][] rows = IntStream.range(0, from + count + 2)
                    .mapToObj(_ -> values(length, random))
                    .toArray(float[][]::new);
            float[] matrix = values(matrixRows * length, random);
            double[] expected = new double[count * matrixRows + 3];
            for (int r = 0; r < count; r++) {
                SCALAR.dots(rows[from + r], matrix, matrixRows, expected, 2 + r * matrixRows);
            }
            for (VectorKernels kernels : List.of(SCALAR, FAST, WIDE)) {
                double[] actual = new double[expected.length];
                kernels.products(rows, from, from + count, length, matrix, matrixRows, actual, 2);
                assertThat(actual).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest(name = "length {0}, seed {1}")
    @MethodSource("lengthsAndSeeds")
    void countsMeetWholeNumbersExactly(int length, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int rows : new int[] {0, 1, 3, 4, 7, 8, 9, 17}) {
            int from = random.nextInt(4);
            int matrixFrom = random.nextInt(4);
            int cap = random.nextBoolean() ? 1 : Integer.MAX_VALUE;
            int stride = matrixFrom + length + random.nextInt(3);
            int[] counts = random.ints(from + length + 1L, 0, 1 << random.nextInt(1, 22))
                    .toArray();
            short[] matrix = new short[rows * stride];
            for (int i = 0; i < matrix.length; i++) {
                matrix[i] = (short) random.nextInt();
            }
            double[] expected = new double[rows];
            for (int k = 0; k < rows; k++) {
                long sum = 1;
                for (int i = 0; i < length; i++) {
                    sum += (long) Math.min(counts[from + i], cap) * matrix[k * stride + matrixFrom + i];
                }
                expected[k] = sum;
            }
            for (VectorKernels kernels : List.of(SCALAR, FAST, WIDE)) {
                double[] actual = new double[rows];
                Arrays.fill(actual, 1);
                kernels.addCountDots(counts, from, length, cap, matrix, matrixFrom, stride, actual);
                assertThat(actual).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest(name = "length {0}, seed {1}")
    @MethodSource("lengthsAndSeeds")
    void weightedSquaresHaveTheSameBits(int length, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] counts = random.ints(length + 3L, 0, Integer.MAX_VALUE).toArray();
        float[] weights = values(length + 2, random);
        for (int cap : new int[] {1, Integer.MAX_VALUE}) {
            double expected = SCALAR.weightedSquares(counts, 3, length, cap, weights, 2);
            assertThat(FAST.weightedSquares(counts, 3, length, cap, weights, 2)).isEqualTo(expected);
            assertThat(WIDE.weightedSquares(counts, 3, length, cap, weights, 2)).isEqualTo(expected);
            double plain = IntStream.range(0, length)
                    .mapToDouble(i -> Math.pow((double) Math.min(counts[3 + i], cap) * weights[2 + i], 2))
                    .sum();
            assertThat(expected).isCloseTo(plain, within(1e-12 * plain));
        }
    }

    @Test
    void largeCountsAreNotRounded() {
        float[] counts = new float[4_099];
        long expected = 0;
        for (int i = 0; i < counts.length; i++) {
            counts[i] = 32_767 - i;
            expected += (32_767L - i) * (32_767L - i);
        }
        assertThat(SCALAR.dot(counts, 0, counts, 0, counts.length)).isEqualTo((double) expected);
        assertThat(FAST.dot(counts, 0, counts, 0, counts.length)).isEqualTo((double) expected);
    }

    @Test
    void theVectorApiIsChosenWhereItIsThere() {
        assertThat(VectorModule.present()).as("the build starts tests with it").isTrue();
        assertThat(Kernels.CHOSEN)
                .isExactlyInstanceOf(
                        WideVectorApiKernels.suitsProcessor()
                                ? WideVectorApiKernels.class
                                : VectorApiKernels.suitsProcessor() ? VectorApiKernels.class : ScalarKernels.class);
    }

    /** Of very different sizes, so that the order of additions shows. */
    private static float[] values(int length, SplittableRandom random) {
        float[] values = new float[length];
        for (int i = 0; i < length; i++) {
            values[i] = (float) (random.nextDouble(-1, 1) * Math.pow(10, random.nextInt(-6, 6)));
        }
        return values;
    }

    private static double plainDot(float[] a, int aOffset, float[] b, int bOffset, int length) {
        double sum = 0;
        for (int i = 0; i < length; i++) {
            sum += (double) a[aOffset + i] * b[bOffset + i];
        }
        return sum;
    }
}
