package io.eldr.core.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The kernels on the Vector API. The eight sums of a dot product are two vectors of four float64 each: where vectors are
 * wider, that still leaves enough work to hide the latency of an addition, and it keeps the results those of {@link
 * ScalarKernels} on every machine. Fused multiply-add changes nothing, since the products are exact.
 */
final class VectorApiKernels implements VectorKernels {
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_128;
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

    /** Four elements, widened. */
    private static DoubleVector at(float[] values, int index) {
        return (DoubleVector)
                FloatVector.fromArray(FLOATS, values, index).convertShape(VectorOperators.F2D, DOUBLES, 0);
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
        DoubleVector four = low.add(high);
        double sum = (four.lane(0) + four.lane(2)) + (four.lane(1) + four.lane(3));
        for (int i = whole; i < length; i++) {
            sum += (double) a[aOffset + i] * b[bOffset + i];
        }
        return sum;
    }
}
