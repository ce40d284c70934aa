package io.eldr.core.vector;

import java.util.Objects;

/**
 * Sums and products of float32 vectors, accumulated in float64: on the Vector API where module {@code jdk.incubator.vector}
 * is there, in plain Java otherwise, with the same results bit for bit.
 *
 * <p>Products are exact, so a dot product of length n is off by at most {@code (n/8 + 10) * 2^-53} of the sum of the absolute
 * products; on whole numbers whose sums stay below 2^53, such as counts, nothing is rounded at all.
 */
public final class VectorMath {
    private VectorMath() {}

    /** The dot product of two vectors of the same length. */
    public static double dot(float[] a, float[] b) {
        requireLength(b.length, a.length);
        return Kernels.CHOSEN.dot(a, 0, b, 0, a.length);
    }

    /** The dot product of {@code a[aOffset..aOffset+length)} and {@code b[bOffset..bOffset+length)}. */
    public static double dot(float[] a, int aOffset, float[] b, int bOffset, int length) {
        Objects.checkFromIndexSize(aOffset, length, a.length);
        Objects.checkFromIndexSize(bOffset, length, b.length);
        return Kernels.CHOSEN.dot(a, aOffset, b, bOffset, length);
    }

    /**
     * The dot products of one vector with each row of a matrix.
     *
     * @param row D values
     * @param matrix {@code matrixRows} x D values, row-major
     * @param out takes the products at {@code outOffset..outOffset+matrixRows-1}
     */
    public static void dots(float[] row, float[] matrix, int matrixRows, double[] out, int outOffset) {
        requireLength(matrix.length, Math.multiplyExact(matrixRows, row.length));
        Objects.checkFromIndexSize(outOffset, matrixRows, out.length);
        Kernels.CHOSEN.dots(row, matrix, matrixRows, out, outOffset);
    }

    /**
     * The dot products of several vectors with each row of a matrix, each the same as {@link #dot}. Works on small blocks of
     * both, so that what was read is used several times: many times faster than one {@link #dots} for each vector where the
     * matrix is larger than the processor's caches. Best with as many vectors as fit into them, 8 to 32.
     *
     * @param rows those from {@code from} to {@code to - 1} have D values
     * @param matrix {@code matrixRows} x D values, row-major
     * @param out takes the products, row-major, from {@code outOffset} on
     */
    public static void products(
            float[][] rows, int from, int to, float[] matrix, int matrixRows, double[] out, int outOffset) {
        Objects.checkFromToIndex(from, to, rows.length);
        Objects.checkFromIndexSize(outOffset, Math.multiplyExact(to - from, matrixRows), out.length);
        if (from == to || matrixRows == 0) {
            return;
        }
        int length = rows[from].length;
        requireLength(matrix.length, Math.multiplyExact(matrixRows, length));
        for (int r = from; r < to; r++) {
            requireLength(rows[r].length, length);
        }
        Kernels.CHOSEN.products(rows, from, to, length, matrix, matrixRows, out, outOffset);
    }

    /**
     * Adds the dot products of counts with each row of a matrix of whole numbers to {@code sums}. Exact, and so the same on
     * every machine, as long as the counts add up to less than 2^38.
     *
     * @param counts those from {@code from} to {@code from + length - 1} are taken, each as {@code cap} at most
     * @param matrix {@code stride} columns, row-major; those from {@code matrixFrom} on are taken
     * @param sums one for each row
     */
    public static void addCountDots(
            int[] counts, int from, int length, int cap, short[] matrix, int matrixFrom, int stride, double[] sums) {
        Objects.checkFromIndexSize(from, length, counts.length);
        Objects.checkFromIndexSize(matrixFrom, length, stride);
        requireLength(matrix.length, Math.multiplyExact(sums.length, stride));
        Kernels.CHOSEN.addCountDots(counts, from, length, cap, matrix, matrixFrom, stride, sums);
    }

    /**
     * The sum of {@code (count * weight)^2}.
     *
     * @param counts those from {@code from} to {@code from + length - 1} are taken, each as {@code cap} at most
     * @param weights those from {@code weightsFrom} on
     */
    public static double weightedSquares(
            int[] counts, int from, int length, int cap, float[] weights, int weightsFrom) {
        Objects.checkFromIndexSize(from, length, counts.length);
        Objects.checkFromIndexSize(weightsFrom, length, weights.length);
        return Kernels.CHOSEN.weightedSquares(counts, from, length, cap, weights, weightsFrom);
    }

    /**
     * The dot product of two vectors of the same length in float32: for values of one sign it is off by less than {@code
     * (n/32 + 6) * 2^-24} of the result. Several times faster than {@link #dot}.
     */
    public static float quickDot(float[] a, float[] b) {
        requireLength(b.length, a.length);
        return Kernels.CHOSEN.quickDot(a, b);
    }

    /** The sum of a vector in float32, as exact as {@link #quickDot}. */
    public static float quickSum(float[] a) {
        return Kernels.CHOSEN.quickSum(a);
    }

    /** Adds a vector to sums of the same length. */
    public static void add(float[] row, double[] sums) {
        requireLength(sums.length, row.length);
        Kernels.CHOSEN.add(row, sums);
    }

    private static void requireLength(int actual, int expected) {
        if (actual != expected) {
            throw new IllegalArgumentException("lengths differ: " + actual + " instead of " + expected);
        }
    }
}
