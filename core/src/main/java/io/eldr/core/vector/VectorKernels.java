package io.eldr.core.vector;

/**
 * The kernels that {@link VectorMath} hands out; arguments are already checked.
 *
 * <p>Every implementation gives the same results, bit for bit. Products of two float32 values are exact in float64, so all
 * that could differ is the order of additions, and that is fixed: in a dot product, element i of the whole groups of eight
 * goes to sum {@code i % 8}, the eight sums are added as {@code ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))}, and
 * what is left of the elements is added one by one.
 */
interface VectorKernels {
    double dot(float[] a, int aOffset, float[] b, int bOffset, int length);

    void dots(float[] row, float[] matrix, int matrixRows, double[] out, int outOffset);

    /**
     * {@link #dots} of the rows {@code from} to {@code to - 1}, all of them {@code length} long, one after the other into
     * {@code out}.
     */
    void products(
            float[][] rows, int from, int to, int length, float[] matrix, int matrixRows, double[] out, int outOffset);

    /**
     * Adds to {@code sums[k]} the products of counts, each taken as {@code cap} at most, with row k of whole numbers. All
     * sums are whole numbers: below 2^53 they are exact in any order.
     */
    void addCountDots(
            int[] counts, int from, int length, int cap, short[] matrix, int matrixFrom, int stride, double[] sums);

    /**
     * The sum of {@code (count * weight)^2}, each count taken as {@code cap} at most; products and squares are rounded
     * before they are added, in the order of {@link #dot}.
     */
    double weightedSquares(int[] counts, int from, int length, int cap, float[] weights, int weightsFrom);

    /**
     * A dot product in float32: element i of the whole groups of 32 goes to sum {@code i % 32}, each product and each addition
     * is rounded; sum j is added to by sum {@code j + 16}, then {@code j + 8}, and so on to one; what is left of the elements
     * is added one by one.
     */
    float quickDot(float[] a, float[] b);

    /** The sum in float32, in the order of {@link #quickDot}. */
    float quickSum(float[] a);

    /** Needs no second version: the compiler makes vectors of this loop by itself. */
    default void add(float[] row, double[] sums) {
        for (int i = 0; i < row.length; i++) {
            sums[i] += row[i];
        }
    }
}
