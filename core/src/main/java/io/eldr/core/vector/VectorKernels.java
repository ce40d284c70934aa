package io.eldr.core.vector;

/** The kernels that {@link VectorMath} hands out; arguments are already checked. */
interface VectorKernels {
    double dot(float[] a, int aOffset, float[] b, int bOffset, int length);

    void dots(float[] row, float[] matrix, int matrixRows, double[] out, int outOffset);

    void add(float[] row, double[] sums);
}
