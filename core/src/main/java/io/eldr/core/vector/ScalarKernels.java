package io.eldr.core.vector;

/** The kernels in plain Java: the reference for every faster version, and what runs where there is none. */
final class ScalarKernels implements VectorKernels {
    /** How many sums the kernels in float32 keep. */
    static final int QUICK_SUMS = 32;

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

    /** Four rows at a time, so that each count is read once for four and the sums do not wait for one another. */
    @Override
    public void addCountDots(
            int[] counts, int from, int length, int cap, short[] matrix, int matrixFrom, int stride, double[] sums) {
        int k = 0;
        int m = matrixFrom;
        for (; k + 3 < sums.length; k += 4, m += 4 * stride) {
            double sum0 = 0;
            double sum1 = 0;
            double sum2 = 0;
            double sum3 = 0;
            for (int i = 0; i < length; i++) {
                double count = Math.min(counts[from + i], cap);
                sum0 += count * matrix[m + i];
                sum1 += count * matrix[m + stride + i];
                sum2 += count * matrix[m + 2 * stride + i];
                sum3 += count * matrix[m + 3 * stride + i];
            }
            sums[k] += sum0;
            sums[k + 1] += sum1;
            sums[k + 2] += sum2;
            sums[k + 3] += sum3;
        }
        for (; k < sums.length; k++, m += stride) {
            double sum = 0;
            for (int i = 0; i < length; i++) {
                sum += (double) Math.min(counts[from + i], cap) * matrix[m + i];
            }
            sums[k] += sum;
        }
    }

    @Override
    public double weightedSquares(int[] counts, int from, int length, int cap, float[] weights, int weightsFrom) {
        double[] sums = new double[8];
        int whole = length & -8;
        for (int i = 0; i < whole; i++) {
            sums[i & 7] += weightedSquare(counts[from + i], cap, weights[weightsFrom + i]);
        }
        double sum = ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
        for (int i = whole; i < length; i++) {
            sum += weightedSquare(counts[from + i], cap, weights[weightsFrom + i]);
        }
        return sum;
    }

    @Override
    public float quickDot(float[] a, float[] b) {
        float[] sums = new float[QUICK_SUMS];
        int whole = a.length & -QUICK_SUMS;
        for (int i = 0; i < whole; i += QUICK_SUMS) {
            for (int j = 0; j < QUICK_SUMS; j++) {
                sums[j] += a[i + j] * b[i + j];
            }
        }
        float sum = total(sums, QUICK_SUMS);
        for (int i = whole; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    @Override
    public float quickSum(float[] a) {
        float[] sums = new float[QUICK_SUMS];
        int whole = a.length & -QUICK_SUMS;
        for (int i = 0; i < whole; i += QUICK_SUMS) {
            for (int j = 0; j < QUICK_SUMS; j++) {
                sums[j] += a[i + j];
            }
        }
        float sum = total(sums, QUICK_SUMS);
        for (int i = whole; i < a.length; i++) {
            sum += a[i];
        }
        return sum;
    }

    /** Folds the first {@code count} sums, a power of two, in halves. */
    static float total(float[] sums, int count) {
        for (int half = count / 2; half > 0; half /= 2) {
            for (int j = 0; j < half; j++) {
                sums[j] += sums[j + half];
            }
        }
        return sums[0];
    }

    static double weightedSquare(int count, int cap, float weight) {
        double x = (double) Math.min(count, cap) * weight;
        return x * x;
    }
}
