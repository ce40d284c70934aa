package io.eldr.core.clustering;

import io.eldr.core.signature.InvalidInputException;
import java.util.Arrays;

/**
 * The assignment of N rows to K clusters of limited capacity at the lowest total cost, exactly. The ELDR paper solves it by
 * the Hungarian method on replicated centroids; here the same optimum is found as a transportation problem, with O(N K)
 * memory. The same input always gives the same answer.
 */
public final class CapacityAssignment {
    private CapacityAssignment() {}

    /** The capacity {@code ceil(N/K)} for each of K clusters. */
    public static int[] evenCapacities(int rows, int clusters) {
        int[] capacities = new int[clusters];
        Arrays.fill(capacities, Math.ceilDiv(rows, clusters));
        return capacities;
    }

    /**
     * @param costs N*K finite values, row-major; not changed
     * @param capacities how many rows each cluster takes at most
     * @throws InvalidInputException naming {@code costs} or {@code capacities}: wrong sizes, values that are not finite,
     *     negative capacities, or less room than rows
     */
    public static Assignment solve(double[] costs, int rows, int[] capacities) {
        return solve(costs, rows, capacities, new double[capacities.length]);
    }

    /**
     * Like {@link #solve(double[], int, int[])} and as exact; faster when the prices are those of a similar problem.
     *
     * @param startPrices a finite price for each cluster
     */
    public static Assignment solve(double[] costs, int rows, int[] capacities, double[] startPrices) {
        requireFeasible(costs, rows, capacities);
        if (startPrices.length != capacities.length
                || !Arrays.stream(startPrices).allMatch(Double::isFinite)) {
            throw new IllegalArgumentException("a finite start price is needed for each cluster");
        }
        TransportSolver solver = new TransportSolver(costs, rows, capacities, startPrices);
        solver.solve();
        int[] clusterOf = solver.clusterOf();
        double objective = 0;
        for (int row = 0; row < rows; row++) {
            objective += costs[row * capacities.length + clusterOf[row]];
        }
        return new Assignment(clusterOf, solver.prices(), objective);
    }

    private static void requireFeasible(double[] costs, int rows, int[] capacities) {
        if (costs.length != (long) rows * capacities.length) {
            throw new InvalidInputException(
                    "costs", "must hold " + rows + " x " + capacities.length + " values but holds " + costs.length);
        }
        for (int i = 0; i < costs.length; i++) {
            if (!Double.isFinite(costs[i])) {
                throw new InvalidInputException(
                        "costs",
                        "row " + i / capacities.length + ", cluster " + i % capacities.length + ": " + costs[i]);
            }
        }
        long room = 0;
        for (int capacity : capacities) {
            if (capacity < 0) {
                throw new InvalidInputException("capacities", "must not be negative but one is " + capacity);
            }
            room += capacity;
        }
        if (room < rows) {
            throw new InvalidInputException("capacities", "have room for " + room + " of " + rows + " rows");
        }
    }
}
