package io.eldr.core.clustering;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.vector.Parallel;
import io.eldr.core.vector.VectorMath;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * k-means++ seeds: the first row at random, each further one with a probability proportional to its squared Euclidean
 * distance from the nearest seed so far (Arthur and Vassilvitskii, 2007). Zero rows, which point nowhere, are never chosen.
 * Where rows other than the seeds are left with distance 0 only, any row is taken.
 */
public final class KMeansPlusPlus {
    private static final int ROWS_AT_ONCE = 64;

    private KMeansPlusPlus() {}

    /**
     * The rows chosen, K of them; a row may occur twice only where there are fewer than K different ones.
     *
     * @throws InvalidInputException naming {@code signatures} if all are zero
     */
    public static int[] seeds(SignatureMatrix matrix, int clusters, RandomGenerator random, Parallel parallel) {
        int n = matrix.rows();
        double[] weights = new double[n];
        for (int row = 0; row < n; row++) {
            weights[row] = matrix.isZero(row) ? 0 : 1;
        }
        boolean[] eligible = new boolean[n];
        for (int row = 0; row < n; row++) {
            eligible[row] = weights[row] > 0;
        }
        int[] seeds = new int[clusters];
        seeds[0] = draw(weights, random);
        if (seeds[0] < 0) {
            throw new InvalidInputException("signatures", "are all zero");
        }
        // Squared distances are at most 4 between unit vectors.
        Arrays.fill(weights, 4);
        for (int k = 1; k < clusters; k++) {
            float[] seed = matrix.row(seeds[k - 1]);
            parallel.forEachRange(n, ROWS_AT_ONCE, (lane, from, to) -> {
                for (int row = from; row < to; row++) {
                    double distance = Math.max(0, 2 - 2 * VectorMath.dot(matrix.row(row), seed));
                    weights[row] = eligible[row] ? Math.min(weights[row], distance) : 0;
                }
            });
            weights[seeds[k - 1]] = 0;
            int drawn = draw(weights, random);
            seeds[k] = drawn >= 0 ? drawn : seeds[random.nextInt(k)];
        }
        return seeds;
    }

    /** A row with a probability proportional to its weight; -1 if no weight is positive. */
    private static int draw(double[] weights, RandomGenerator random) {
        double total = 0;
        for (double weight : weights) {
            total += weight;
        }
        double threshold = random.nextDouble() * total;
        int last = -1;
        double sum = 0;
        for (int row = 0; row < weights.length; row++) {
            if (weights[row] > 0) {
                sum += weights[row];
                last = row;
                if (sum > threshold) {
                    return row;
                }
            }
        }
        return last;
    }
}
