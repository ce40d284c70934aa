package io.eldr.core.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The kernels on the Vector API, for vectors of 256 bits. The eight sums of a dot product are two vectors of four float64 each: where vectors are
 * wider, that still leaves enough work to hide the latency of an addition, and it keeps the results those of {@link
 * ScalarKernels} on every machine. Fused multiply-add changes nothing, since the products are exact.
 */
class VectorApiKernels implements VectorKernels {
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_128;
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_128;
    private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_64;
    private static final VectorSpecies<Float> QUICK = FloatVector.SPECIES_256;
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_256;

    /** True where the processor works on four float64 at once; otherwise these kernels would be slower than plain Java. */
    static boolean suitsProcessor() {
        return DoubleVector.SPECIES_PREFERRED.length() >= DOUBLES.length();
    }

    @Override
    public double dot(float[] a, int aOffset, float[] b, int bOffset, int length) {
        DoubleVector low = DoubleVector.zero(DOUBLES);
        DoubleVector high = low;
        int whole = length & -8;
        for (int i = 0; i < whole; i += 8) {
            low = at(a, aOffset + i).fma(at(b, bOffset + i), low);
            high = at(a, aOffset + i + 4).fma(at(b, bOffset + i + 4), high);
        }
        return total(low, high, a, aOffset, b, bOffset, whole, length);
    }

    /** Four rows of the matrix at a time, so that each part of the row is read and widened once for four. */
    @Override
    public void dots(float[] row, float[] matrix, int matrixRows, double[] out, int outOffset) {
        int length = row.length;
        int whole = length & -8;
        int k = 0;
        for (; k + 3 < matrixRows; k += 4) {
            int m0 = k * length;
            int m1 = m0 + length;
            int m2 = m1 + length;
            int m3 = m2 + length;
            DoubleVector low0 = DoubleVector.zero(DOUBLES);
            DoubleVector high0 = low0;
            DoubleVector low1 = low0;
            DoubleVector high1 = low0;
            DoubleVector low2 = low0;
            DoubleVector high2 = low0;
            DoubleVector low3 = low0;
            DoubleVector high3 = low0;
            for (int i = 0; i < whole; i += 8) {
                DoubleVector low = at(row, i);
                DoubleVector high = at(row, i + 4);
                low0 = at(matrix, m0 + i).fma(low, low0);
                high0 = at(matrix, m0 + i + 4).fma(high, high0);
                low1 = at(matrix, m1 + i).fma(low, low1);
                high1 = at(matrix, m1 + i + 4).fma(high, high1);
                low2 = at(matrix, m2 + i).fma(low, low2);
                high2 = at(matrix, m2 + i + 4).fma(high, high2);
                low3 = at(matrix, m3 + i).fma(low, low3);
                high3 = at(matrix, m3 + i + 4).fma(high, high3);
            }
            int o = outOffset + k;
            out[o] = total(low0, high0, row, 0, matrix, m0, whole, length);
            out[o + 1] = total(low1, high1, row, 0, matrix, m1, whole, length);
            out[o + 2] = total(low2, high2, row, 0, matrix, m2, whole, length);
            out[o + 3] = total(low3, high3, row, 0, matrix, m3, whole, length);
        }
        for (; k < matrixRows; k++) {
            out[outOffset + k] = dot(row, 0, matrix, k * length, length);
        }
    }

    /** Two rows by two at a time, eight sums, which is what processors with 16 registers hold. */
    @Override
    public void products(
            float[][] rows, int from, int to, int length, float[] matrix, int matrixRows, double[] out, int outOffset) {
        int k = 0;
        for (; k + 1 < matrixRows; k += 2) {
            int r = from;
            int o = outOffset + k;
            for (; r + 1 < to; r += 2, o += 2 * matrixRows) {
                twoByTwo(rows[r], rows[r + 1], matrix, k * length, length, out, o, o + matrixRows);
            }
            if (r < to) {
                out[o] = dot(rows[r], 0, matrix, k * length, length);
                out[o + 1] = dot(rows[r], 0, matrix, (k + 1) * length, length);
            }
        }
        if (k < matrixRows) {
            for (int r = from, o = outOffset + k; r < to; r++, o += matrixRows) {
                out[o] = dot(rows[r], 0, matrix, k * length, length);
            }
        }
    }

    private static void twoByTwo(
            float[] a, float[] b, float[] matrix, int m0, int length, double[] out, int outA, int outB) {
        int m1 = m0 + length;
        int whole = length & -8;
        DoubleVector lowA0 = DoubleVector.zero(DOUBLES);
        DoubleVector highA0 = lowA0;
        DoubleVector lowA1 = lowA0;
        DoubleVector highA1 = lowA0;
        DoubleVector lowB0 = lowA0;
        DoubleVector highB0 = lowA0;
        DoubleVector lowB1 = lowA0;
        DoubleVector highB1 = lowA0;
        for (int i = 0; i < whole; i += 8) {
            DoubleVector lowA = at(a, i);
            DoubleVector lowB = at(b, i);
            DoubleVector low0 = at(matrix, m0 + i);
            DoubleVector low1 = at(matrix, m1 + i);
            lowA0 = low0.fma(lowA, lowA0);
            lowA1 = low1.fma(lowA, lowA1);
            lowB0 = low0.fma(lowB, lowB0);
            lowB1 = low1.fma(lowB, lowB1);
            DoubleVector highA = at(a, i + 4);
            DoubleVector highB = at(b, i + 4);
            DoubleVector high0 = at(matrix, m0 + i + 4);
            DoubleVector high1 = at(matrix, m1 + i + 4);
            highA0 = high0.fma(highA, highA0);
            highA1 = high1.fma(highA, highA1);
            highB0 = high0.fma(highB, highB0);
            highB1 = high1.fma(highB, highB1);
        }
        out[outA] = total(lowA0, highA0, a, 0, matrix, m0, whole, length);
        out[outA + 1] = total(lowA1, highA1, a, 0, matrix, m1, whole, length);
        out[outB] = total(lowB0, highB0, b, 0, matrix, m0, whole, length);
        out[outB + 1] = total(lowB1, highB1, b, 0, matrix, m1, whole, length);
    }

    @Override
    public void addCountDots(
            int[] counts, int from, int length, int cap, short[] matrix, int matrixFrom, int stride, double[] sums) {
        int k = 0;
        int m = matrixFrom;
        for (; k + 7 < sums.length; k += 8, m += 8 * stride) {
            addEight(counts, from, length, cap, matrix, m, stride, sums, k);
        }
        for (; k < sums.length; k++, m += stride) {
            addOne(counts, from, length, cap, matrix, m, sums, k);
        }
    }

    /** Eight rows at a time, so that each count is read and widened once for eight. */
    private static void addEight(
            int[] counts,
            int from,
            int length,
            int cap,
            short[] matrix,
            int matrixFrom,
            int stride,
            double[] sums,
            int k) {
        int m0 = matrixFrom;
        int m1 = m0 + stride;
        int m2 = m1 + stride;
        int m3 = m2 + stride;
        int m4 = m3 + stride;
        int m5 = m4 + stride;
        int m6 = m5 + stride;
        int m7 = m6 + stride;
        int whole = length & -4;
        DoubleVector sum0 = DoubleVector.zero(DOUBLES);
        DoubleVector sum1 = sum0;
        DoubleVector sum2 = sum0;
        DoubleVector sum3 = sum0;
        DoubleVector sum4 = sum0;
        DoubleVector sum5 = sum0;
        DoubleVector sum6 = sum0;
        DoubleVector sum7 = sum0;
        for (int i = 0; i < whole; i += 4) {
            DoubleVector count = counted(counts, from + i, cap);
            sum0 = at(matrix, m0 + i).fma(count, sum0);
            sum1 = at(matrix, m1 + i).fma(count, sum1);
            sum2 = at(matrix, m2 + i).fma(count, sum2);
            sum3 = at(matrix, m3 + i).fma(count, sum3);
            sum4 = at(matrix, m4 + i).fma(count, sum4);
            sum5 = at(matrix, m5 + i).fma(count, sum5);
            sum6 = at(matrix, m6 + i).fma(count, sum6);
            sum7 = at(matrix, m7 + i).fma(count, sum7);
        }
        sums[k] += sum0.reduceLanes(VectorOperators.ADD);
        sums[k + 1] += sum1.reduceLanes(VectorOperators.ADD);
        sums[k + 2] += sum2.reduceLanes(VectorOperators.ADD);
        sums[k + 3] += sum3.reduceLanes(VectorOperators.ADD);
        sums[k + 4] += sum4.reduceLanes(VectorOperators.ADD);
        sums[k + 5] += sum5.reduceLanes(VectorOperators.ADD);
        sums[k + 6] += sum6.reduceLanes(VectorOperators.ADD);
        sums[k + 7] += sum7.reduceLanes(VectorOperators.ADD);
        for (int i = whole; i < length; i++) {
            double count = Math.min(counts[from + i], cap);
            for (int j = 0; j < 8; j++) {
                sums[k + j] += count * matrix[matrixFrom + j * stride + i];
            }
        }
    }

    private static void addOne(
            int[] counts, int from, int length, int cap, short[] matrix, int matrixFrom, double[] sums, int k) {
        int whole = length & -4;
        DoubleVector sum = DoubleVector.zero(DOUBLES);
        for (int i = 0; i < whole; i += 4) {
            sum = at(matrix, matrixFrom + i).fma(counted(counts, from + i, cap), sum);
        }
        sums[k] += sum.reduceLanes(VectorOperators.ADD);
        for (int i = whole; i < length; i++) {
            sums[k] += (double) Math.min(counts[from + i], cap) * matrix[matrixFrom + i];
        }
    }

    @Override
    public double weightedSquares(int[] counts, int from, int length, int cap, float[] weights, int weightsFrom) {
        int whole = length & -8;
        DoubleVector low = DoubleVector.zero(DOUBLES);
        DoubleVector high = low;
        for (int i = 0; i < whole; i += 8) {
            DoubleVector x = counted(counts, from + i, cap).mul(at(weights, weightsFrom + i));
            low = x.mul(x).add(low);
            DoubleVector y = counted(counts, from + i + 4, cap).mul(at(weights, weightsFrom + i + 4));
            high = y.mul(y).add(high);
        }
        double sum = total(low, high);
        for (int i = whole; i < length; i++) {
            sum += ScalarKernels.weightedSquare(counts[from + i], cap, weights[weightsFrom + i]);
        }
        return sum;
    }

    /** Four elements, widened. */
    private static DoubleVector at(float[] values, int index) {
        return (DoubleVector)
                FloatVector.fromArray(FLOATS, values, index).convertShape(VectorOperators.F2D, DOUBLES, 0);
    }

    /** Four counts, each {@code cap} at most, widened. */
    private static DoubleVector counted(int[] counts, int index, int cap) {
        return (DoubleVector)
                IntVector.fromArray(INTS, counts, index).min(cap).convertShape(VectorOperators.I2D, DOUBLES, 0);
    }

    /** Four whole numbers, widened. */
    private static DoubleVector at(short[] values, int index) {
        return (DoubleVector)
                ShortVector.fromArray(SHORTS, values, index).convertShape(VectorOperators.S2D, DOUBLES, 0);
    }

    /** The eight sums and, from {@code whole} on, what is left of the elements. */
    private static double total(
            DoubleVector low,
            DoubleVector high,
            float[] a,
            int aOffset,
            float[] b,
            int bOffset,
            int whole,
            int length) {
        double sum = total(low, high);
        for (int i = whole; i < length; i++) {
            sum += (double) a[aOffset + i] * b[bOffset + i];
        }
        return sum;
    }

    private static double total(DoubleVector low, DoubleVector high) {
        DoubleVector four = low.add(high);
        return (four.lane(0) + four.lane(2)) + (four.lane(1) + four.lane(3));
    }

    @Override
    public float quickDot(float[] a, float[] b) {
        FloatVector v0 = FloatVector.zero(QUICK);
        FloatVector v1 = v0;
        FloatVector v2 = v0;
        FloatVector v3 = v0;
        int whole = a.length & -ScalarKernels.QUICK_SUMS;
        for (int i = 0; i < whole; i += ScalarKernels.QUICK_SUMS) {
            v0 = FloatVector.fromArray(QUICK, a, i)
                    .mul(FloatVector.fromArray(QUICK, b, i))
                    .add(v0);
            v1 = FloatVector.fromArray(QUICK, a, i + 8)
                    .mul(FloatVector.fromArray(QUICK, b, i + 8))
                    .add(v1);
            v2 = FloatVector.fromArray(QUICK, a, i + 16)
                    .mul(FloatVector.fromArray(QUICK, b, i + 16))
                    .add(v2);
            v3 = FloatVector.fromArray(QUICK, a, i + 24)
                    .mul(FloatVector.fromArray(QUICK, b, i + 24))
                    .add(v3);
        }
        float sum = total(v0.add(v2).add(v1.add(v3)));
        for (int i = whole; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    @Override
    public float quickSum(float[] a) {
        FloatVector v0 = FloatVector.zero(QUICK);
        FloatVector v1 = v0;
        FloatVector v2 = v0;
        FloatVector v3 = v0;
        int whole = a.length & -ScalarKernels.QUICK_SUMS;
        for (int i = 0; i < whole; i += ScalarKernels.QUICK_SUMS) {
            v0 = FloatVector.fromArray(QUICK, a, i).add(v0);
            v1 = FloatVector.fromArray(QUICK, a, i + 8).add(v1);
            v2 = FloatVector.fromArray(QUICK, a, i + 16).add(v2);
            v3 = FloatVector.fromArray(QUICK, a, i + 24).add(v3);
        }
        float sum = total(v0.add(v2).add(v1.add(v3)));
        for (int i = whole; i < a.length; i++) {
            sum += a[i];
        }
        return sum;
    }

    private static float total(FloatVector sums) {
        float[] folded = new float[8];
        sums.intoArray(folded, 0);
        return ScalarKernels.total(folded, 8);
    }
}
