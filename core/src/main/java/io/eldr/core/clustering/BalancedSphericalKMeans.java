package io.eldr.core.clustering;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.vector.Parallel;
import io.eldr.core.vector.VectorMath;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Balanced spherical K-means (ELDR paper): k-means++ seeds; then, in turn, the exact assignment of rows to
 * centroids at the lowest total cosine distance with at most {@code ceil(N/K)} rows a cluster, and each centroid moved to
 * the mean of its rows, brought back to length 1. It ends when the assignment stays the same. A centroid without rows, or
 * whose rows add up to zero, stays where it is. A zero row is at distance 1 from everything.
 */
public final class BalancedSphericalKMeans {
    public static final int DEFAULT_MAX_ITERATIONS = 50;
    /** More clusters than this are refused: the search for the assignment takes memory for each pair of them. */
    public static final int MAX_CLUSTERS = 1_024;

    /** So many rows are in the processor's caches together; a multiple of what the kernels take at once. */
    private static final int ROWS_AT_ONCE = 16;

    private static final double MIN_NORM = 1e-9;

    private BalancedSphericalKMeans() {}

    /**
     * Fits K centroids. The same input gives the same answer, whatever {@code parallel} is.
     *
     * @param maxIterations how many times centroids are moved at most
     * @throws InvalidInputException naming {@code clusters} if they are fewer than 1 or more than rows or {@link
     *     #MAX_CLUSTERS}, {@code signatures}
     *     if all are zero
     */
    public static BalancedClusters fit(
            SignatureMatrix matrix, int clusters, long seed, int maxIterations, Parallel parallel) {
        requireClusters(clusters, matrix);
        int[] seeds = KMeansPlusPlus.seeds(matrix, clusters, new SplittableRandom(seed), parallel);
        int dimensions = matrix.dimensions();
        float[] centroids = new float[Math.multiplyExact(clusters, dimensions)];
        for (int k = 0; k < clusters; k++) {
            System.arraycopy(matrix.row(seeds[k]), 0, centroids, k * dimensions, dimensions);
        }
        int[] capacities = CapacityAssignment.evenCapacities(matrix.rows(), clusters);
        double[] costs = new double[Math.multiplyExact(matrix.rows(), clusters)];
        computeCosts(matrix, centroids, clusters, costs, parallel);
        Assignment assignment = CapacityAssignment.solve(costs, matrix.rows(), capacities);
        int iterations = 0;
        boolean changed = true;
        while (changed && iterations < maxIterations) {
            iterations++;
            moveCentroids(matrix, assignment, centroids, parallel);
            computeCosts(matrix, centroids, clusters, costs, parallel);
            Assignment next = CapacityAssignment.solve(costs, matrix.rows(), capacities, assignment.prices());
            changed = !Arrays.equals(next.toArray(), assignment.toArray());
            assignment = next;
        }
        return new BalancedClusters(Centroids.of(clusters, dimensions, centroids), assignment, iterations, !changed);
    }

    /**
     * The exact assignment of rows to given centroids at the lowest total cosine distance, with at most {@code ceil(N/K)}
     * rows a cluster; its objective tells how well centroids suit rows that they were not fitted on.
     *
     * @throws InvalidInputException naming {@code centroids} if they have other dimensions than the rows
     */
    public static Assignment assign(SignatureMatrix matrix, Centroids centroids, Parallel parallel) {
        if (centroids.dimensions() != matrix.dimensions()) {
            throw new InvalidInputException(
                    "centroids",
                    "have " + centroids.dimensions() + " dimensions but the signatures have " + matrix.dimensions());
        }
        int clusters = centroids.count();
        double[] costs = new double[Math.multiplyExact(matrix.rows(), clusters)];
        computeCosts(matrix, centroids.toArray(), clusters, costs, parallel);
        return CapacityAssignment.solve(
                costs, matrix.rows(), CapacityAssignment.evenCapacities(matrix.rows(), clusters));
    }

    private static void requireClusters(int clusters, SignatureMatrix matrix) {
        if (clusters < 1 || clusters > matrix.rows()) {
            throw new InvalidInputException(
                    "clusters", "must be between 1 and the " + matrix.rows() + " samples but are " + clusters);
        }
        if (clusters > MAX_CLUSTERS
                || (long) clusters * Math.max(matrix.rows(), matrix.dimensions()) > Integer.MAX_VALUE - 8) {
            throw new InvalidInputException(
                    "clusters",
                    "are too many: " + clusters + " for " + matrix.rows() + " samples of " + matrix.dimensions()
                            + " dimensions; there may be " + MAX_CLUSTERS + " at most");
        }
    }

    /** Cosine distances of all rows to all centroids, [N, K]. */
    private static void computeCosts(
            SignatureMatrix matrix, float[] centroids, int clusters, double[] costs, Parallel parallel) {
        parallel.forEachRange(matrix.rows(), ROWS_AT_ONCE, (lane, from, to) -> {
            matrix.products(from, to, centroids, clusters, costs, from * clusters);
            for (int i = from * clusters; i < to * clusters; i++) {
                costs[i] = 1 - costs[i];
            }
        });
    }

    private static void moveCentroids(
            SignatureMatrix matrix, Assignment assignment, float[] centroids, Parallel parallel) {
        int dimensions = matrix.dimensions();
        int[][] members = members(assignment);
        parallel.forEach(members.length, (lane, k) -> {
            double[] sum = new double[dimensions];
            for (int row : members[k]) {
                VectorMath.add(matrix.row(row), sum);
            }
            double norm = Math.sqrt(Arrays.stream(sum).map(x -> x * x).sum());
            if (norm > MIN_NORM) {
                for (int d = 0; d < dimensions; d++) {
                    centroids[k * dimensions + d] = (float) (sum[d] / norm);
                }
            }
        });
    }

    /** The rows of each cluster, ascending. */
    private static int[][] members(Assignment assignment) {
        int[] sizes = assignment.sizes();
        int[][] members = new int[sizes.length][];
        for (int k = 0; k < sizes.length; k++) {
            members[k] = new int[sizes[k]];
        }
        int[] filled = new int[sizes.length];
        for (int row = 0; row < assignment.rows(); row++) {
            int k = assignment.clusterOf(row);
            members[k][filled[k]++] = row;
        }
        return members;
    }
}
