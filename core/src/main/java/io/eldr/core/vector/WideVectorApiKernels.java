package io.eldr.core.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The kernels on the Vector API where vectors have 512 bits: the eight sums of a dot product are one vector of eight float64,
 * and 32 registers hold those of four rows by four.
 */
final class WideVectorApiKernels extends VectorApiKernels {
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_256;
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_256;
    private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_128;
    private static final VectorSpecies<Float> QUICK = FloatVector.SPECIES_512;
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_512;

    /** True where the processor works on eight float64 at once. */
    static boolean suitsProcessor() {
        return DoubleVector.SPECIES_PREFERRED.length() >= DOUBLES.length();
    }

    @Override
    public void products(
            float[][] rows, int from, int to, int length, float[] matrix, int matrixRows, double[] out, int outOffset) {
        int k = 0;
        for (; k + 3 < matrixRows; k += 4) {
            int r = from;
            int o = outOffset + k;
            for (; r + 3 < to; r += 4, o += 4 * matrixRows) {
                fourByFour(
                        rows[r], rows[r + 1], rows[r + 2], rows[r + 3], matrix, k * length, length, out, o, matrixRows);
            }
            for (; r < to; r++, o += matrixRows) {
                for (int j = 0; j < 4; j++) {
                    out[o + j] = dot(rows[r], 0, matrix, (k + j) * length, length);
                }
            }
        }
        for (; k < matrixRows; k++) {
            for (int r = from, o = outOffset + k; r < to; r++, o += matrixRows) {
                out[o] = dot(rows[r], 0, matrix, k * length, length);
            }
        }
    }

    private static void fourByFour(
            float[] a,
            float[] b,
            float[] c,
            float[] d,
            float[] matrix,
            int m0,
            int length,
            double[] out,
            int outOffset,
            int outStride) {
        int m1 = m0 + length;
        int m2 = m1 + length;
        int m3 = m2 + length;
        int whole = length & -8;
        DoubleVector a0 = DoubleVector.zero(DOUBLES);
        DoubleVector a1 = a0;
        DoubleVector a2 = a0;
        DoubleVector a3 = a0;
        DoubleVector b0 = a0;
        DoubleVector b1 = a0;
        DoubleVector b2 = a0;
        DoubleVector b3 = a0;
        DoubleVector c0 = a0;
        DoubleVector c1 = a0;
        DoubleVector c2 = a0;
        DoubleVector c3 = a0;
        DoubleVector d0 = a0;
        DoubleVector d1 = a0;
        DoubleVector d2 = a0;
        DoubleVector d3 = a0;
        for (int i = 0; i < whole; i += 8) {
            DoubleVector v0 = at(matrix, m0 + i);
            DoubleVector v1 = at(matrix, m1 + i);
            DoubleVector v2 = at(matrix, m2 + i);
            DoubleVector v3 = at(matrix, m3 + i);
            DoubleVector ai = at(a, i);
            a0 = v0.fma(ai, a0);
            a1 = v1.fma(ai, a1);
            a2 = v2.fma(ai, a2);
            a3 = v3.fma(ai, a3);
            DoubleVector bi = at(b, i);
            b0 = v0.fma(bi, b0);
            b1 = v1.fma(bi, b1);
            b2 = v2.fma(bi, b2);
            b3 = v3.fma(bi, b3);
            DoubleVector ci = at(c, i);
            c0 = v0.fma(ci, c0);
            c1 = v1.fma(ci, c1);
            c2 = v2.fma(ci, c2);
            c3 = v3.fma(ci, c3);
            DoubleVector di = at(d, i);
            d0 = v0.fma(di, d0);
            d1 = v1.fma(di, d1);
            d2 = v2.fma(di, d2);
            d3 = v3.fma(di, d3);
        }
        int oa = outOffset;
        out[oa] = total(a0, a, matrix, m0, whole, length);
        out[oa + 1] = total(a1, a, matrix, m1, whole, length);
        out[oa + 2] = total(a2, a, matrix, m2, whole, length);
        out[oa + 3] = total(a3, a, matrix, m3, whole, length);
        int ob = outOffset + outStride;
        out[ob] = total(b0, b, matrix, m0, whole, length);
        out[ob + 1] = total(b1, b, matrix, m1, whole, length);
        out[ob + 2] = total(b2, b, matrix, m2, whole, length);
        out[ob + 3] = total(b3, b, matrix, m3, whole, length);
        int oc = outOffset + 2 * outStride;
        out[oc] = total(c0, c, matrix, m0, whole, length);
        out[oc + 1] = total(c1, c, matrix, m1, whole, length);
        out[oc + 2] = total(c2, c, matrix, m2, whole, length);
        out[oc + 3] = total(c3, c, matrix, m3, whole, length);
        int od = outOffset + 3 * outStride;
        out[od] = total(d0, d, matrix, m0, whole, length);
        out[od + 1] = total(d1, d, matrix, m1, whole, length);
        out[od + 2] = total(d2, d, matrix, m2, whole, length);
        out[od + 3] = total(d3, d, matrix, m3, whole, length);
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
        int whole = length & -8;
        DoubleVector sum0 = DoubleVector.zero(DOUBLES);
        DoubleVector sum1 = sum0;
        DoubleVector sum2 = sum0;
        DoubleVector sum3 = sum0;
        DoubleVector sum4 = sum0;
        DoubleVector sum5 = sum0;
        DoubleVector sum6 = sum0;
        DoubleVector sum7 = sum0;
        for (int i = 0; i < whole; i += 8) {
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
        int whole = length & -8;
        DoubleVector sum = DoubleVector.zero(DOUBLES);
        for (int i = 0; i < whole; i += 8) {
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
        DoubleVector sums = DoubleVector.zero(DOUBLES);
        for (int i = 0; i < whole; i += 8) {
            DoubleVector x = counted(counts, from + i, cap).mul(at(weights, weightsFrom + i));
            sums = x.mul(x).add(sums);
        }
        double sum = total(sums);
        for (int i = whole; i < length; i++) {
            sum += ScalarKernels.weightedSquare(counts[from + i], cap, weights[weightsFrom + i]);
        }
        return sum;
    }

    /** Eight elements, widened. */
    private static DoubleVector at(float[] values, int index) {
        return (DoubleVector)
                FloatVector.fromArray(FLOATS, values, index).convertShape(VectorOperators.F2D, DOUBLES, 0);
    }

    /** Eight counts, each {@code cap} at most, widened. */
    private static DoubleVector counted(int[] counts, int index, int cap) {
        return (DoubleVector)
                IntVector.fromArray(INTS, counts, index).min(cap).convertShape(VectorOperators.I2D, DOUBLES, 0);
    }

    /** Eight whole numbers, widened. */
    private static DoubleVector at(short[] values, int index) {
        return (DoubleVector)
                ShortVector.fromArray(SHORTS, values, index).convertShape(VectorOperators.S2D, DOUBLES, 0);
    }

    /** The eight sums and, from {@code whole} on, what is left of the elements. */
    private static double total(DoubleVector sums, float[] row, float[] matrix, int m, int whole, int length) {
        double sum = total(sums);
        for (int i = whole; i < length; i++) {
            sum += (double) row[i] * matrix[m + i];
        }
        return sum;
    }

    private static double total(DoubleVector sums) {
        return ((sums.lane(0) + sums.lane(4)) + (sums.lane(2) + sums.lane(6)))
                + ((sums.lane(1) + sums.lane(5)) + (sums.lane(3) + sums.lane(7)));
    }

    @Override
    public float quickDot(float[] a, float[] b) {
        FloatVector v0 = FloatVector.zero(QUICK);
        FloatVector v1 = v0;
        int whole = a.length & -ScalarKernels.QUICK_SUMS;
        for (int i = 0; i < whole; i += ScalarKernels.QUICK_SUMS) {
            v0 = FloatVector.fromArray(QUICK, a, i)
                    .mul(FloatVector.fromArray(QUICK, b, i))
                    .add(v0);
            v1 = FloatVector.fromArray(QUICK, a, i + 16)
                    .mul(FloatVector.fromArray(QUICK, b, i + 16))
                    .add(v1);
        }
        float sum = total(v0.add(v1));
        for (int i = whole; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    @Override
    public float quickSum(float[] a) {
        FloatVector v0 = FloatVector.zero(QUICK);
        FloatVector v1 = v0;
        int whole = a.length & -ScalarKernels.QUICK_SUMS;
        for (int i = 0; i < whole; i += ScalarKernels.QUICK_SUMS) {
            v0 = FloatVector.fromArray(QUICK, a, i).add(v0);
            v1 = FloatVector.fromArray(QUICK, a, i + 16).add(v1);
        }
        float sum = total(v0.add(v1));
        for (int i = whole; i < a.length; i++) {
            sum += a[i];
        }
        return sum;
    }

    private static float total(FloatVector sums) {
        float[] folded = new float[16];
        sums.intoArray(folded, 0);
        return ScalarKernels.total(folded, 16);
    }
}
