package io.eldr.core.vector;

/** The kernels in plain Java: the reference for every faster version, and what runs where there is none. */
final class ScalarKernels implements VectorKernels {
    @Override
    public double dot(float[] a, int aOffset, float[] b, int bOffset, int length) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        double s4 = 0;
        double s5 = 0;
        double s6 = 0;
        double s7 = 0;
        int whole = length & -8;
        for (int i = 0; i < whole; i += 8) {
            int ai = aOffset + i;
            int bi = bOffset + i;
            s0 += (double) a[ai] * b[bi];
            s1 += (double) a[ai + 1] * b[bi + 1];
            s2 += (double) a[ai + 2] * b[bi + 2];
            s3 += (double) a[ai + 3] * b[bi + 3];
            s4 += (double) a[ai + 4] * b[bi + 4];
            s5 += (double) a[ai + 5] * b[bi + 5];
            s6 += (double) a[ai + 6] * b[bi + 6];
            s7 += (double) a[ai + 7] * b[bi + 7];
        }
        double sum = ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7));
        for (int i = whole; i < length; i++) {
            sum += (double) a[aOffset + i] * b[bOffset + i];
        }
        return sum;
    }

    @Override
    public void dots(float[] row, float[] matrix, int matrixRows, double[] out, int outOffset) {
        for (int k = 0; k < matrixRows; k++) {
            out[outOffset + k] = dot(row, 0, matrix, k * row.length, row.length);
        }
    }

    @Override
    public void products(
            float[][] rows, int from, int to, int length, float[] matrix, int matrixRows, double[] out, int outOffset) {
        for (int r = from; r < to; r++) {
            dots(rows[r], matrix, matrixRows, out, outOffset + (r - from) * matrixRows);
        }
    }
}
