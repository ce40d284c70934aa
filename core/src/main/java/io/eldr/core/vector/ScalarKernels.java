package io.eldr.core.vector;

/**
 * The kernels in plain Java: the reference for every faster version.
 *
 * <p>Products of two float32 values are exact in float64, and so are sums of whole numbers below 2^53: on counts these
 * kernels do not round at all.
 */
final class ScalarKernels implements VectorKernels {
    @Override
    public double dot(float[] a, int aOffset, float[] b, int bOffset, int length) {
        // Four sums, so that an addition need not wait for the one before it.
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        int i = 0;
        for (; i + 3 < length; i += 4) {
            s0 += (double) a[aOffset + i] * b[bOffset + i];
            s1 += (double) a[aOffset + i + 1] * b[bOffset + i + 1];
            s2 += (double) a[aOffset + i + 2] * b[bOffset + i + 2];
            s3 += (double) a[aOffset + i + 3] * b[bOffset + i + 3];
        }
        for (; i < length; i++) {
            s0 += (double) a[aOffset + i] * b[bOffset + i];
        }
        return (s0 + s1) + (s2 + s3);
    }

    @Override
    public void dots(float[] row, float[] matrix, int matrixRows, double[] out, int outOffset) {
        int length = row.length;
        int k = 0;
        for (; k + 3 < matrixRows; k += 4) {
            int m0 = k * length;
            int m1 = m0 + length;
            int m2 = m1 + length;
            int m3 = m2 + length;
            double s0 = 0;
            double s1 = 0;
            double s2 = 0;
            double s3 = 0;
            for (int i = 0; i < length; i++) {
                double value = row[i];
                s0 += value * matrix[m0 + i];
                s1 += value * matrix[m1 + i];
                s2 += value * matrix[m2 + i];
                s3 += value * matrix[m3 + i];
            }
            out[outOffset + k] = s0;
            out[outOffset + k + 1] = s1;
            out[outOffset + k + 2] = s2;
            out[outOffset + k + 3] = s3;
        }
        for (; k < matrixRows; k++) {
            double sum = 0;
            for (int i = 0; i < length; i++) {
                sum += (double) row[i] * matrix[k * length + i];
            }
            out[outOffset + k] = sum;
        }
    }

    @Override
    public void add(float[] row, double[] sums) {
        for (int i = 0; i < row.length; i++) {
            sums[i] += row[i];
        }
    }
}
