package io.eldr.core.clustering;

import io.eldr.core.vector.Interrupts;
import java.util.Arrays;

/**
 * The transportation problem behind {@link CapacityAssignment}, by successive shortest paths on a residual graph whose
 * nodes are the K clusters.
 *
 * <p>Every cluster has a price, and every row is where cost plus price is lowest. Places that stay free are held by
 * <i>idle</i> rows, which cost nothing anywhere and are where the price is lowest. So the start is optimal but for the
 * capacities. Then, while a cluster has too many rows, one row is moved along each edge of a shortest path (Dijkstra) from
 * the clusters with too many to the nearest with room. The edge u to v weighs what it costs to move the cheapest row of u
 * to v, corrected by the prices, so that no weight is negative; raising the prices by the distances keeps it so. At the end
 * the capacities hold and nothing has been lost: the assignment is optimal for any start prices.
 */
final class TransportSolver {
    private final double[] costs;
    private final int rows;
    private final int clusters;
    private final double[] prices;
    private final int[] clusterOf;
    /** How many idle rows each cluster has. */
    private final int[] idle;
    /** How many rows, idle ones included, each cluster has above its capacity; negative: room. */
    private final int[] excess;

    private final CheapestMovers movers;

    private final double[] distance;
    private final int[] parent;
    private final boolean[] settled;

    TransportSolver(double[] costs, int rows, int[] capacities, double[] startPrices) {
        this.costs = costs;
        this.rows = rows;
        this.clusters = capacities.length;
        this.prices = startPrices.clone();
        this.clusterOf = new int[rows];
        this.idle = new int[clusters];
        this.excess = new int[clusters];
        this.movers = new CheapestMovers(costs, clusters, clusterOf);
        this.distance = new double[clusters];
        this.parent = new int[clusters];
        this.settled = new boolean[clusters];
        long room = 0;
        for (int k = 0; k < clusters; k++) {
            // No cluster can take more than all rows; so the sums below stay within an int for any capacities.
            int capacity = Math.min(capacities[k], rows);
            excess[k] = -capacity;
            room += capacity;
        }
        placeRows();
        placeIdle(room - rows);
    }

    void solve() {
        while (hasExcess()) {
            Interrupts.check();
            int end = nearestWithRoom();
            raisePrices(distance[end]);
            moveAlongPathTo(end);
        }
        double lowest = Arrays.stream(prices).min().orElse(0);
        for (int k = 0; k < clusters; k++) {
            prices[k] -= lowest;
        }
    }

    int[] clusterOf() {
        return clusterOf;
    }

    double[] prices() {
        return prices;
    }

    private void placeRows() {
        for (int row = 0; row < rows; row++) {
            int best = 0;
            double lowest = Double.POSITIVE_INFINITY;
            for (int k = 0; k < clusters; k++) {
                double price = costs[row * clusters + k] + prices[k];
                if (price < lowest) {
                    lowest = price;
                    best = k;
                }
            }
            clusterOf[row] = best;
            excess[best]++;
        }
    }

    /** Puts idle rows where the price is lowest, as long as possible where there is room. */
    private void placeIdle(long count) {
        double lowest = Arrays.stream(prices).min().orElse(0);
        long left = count;
        int first = -1;
        for (int k = 0; k < clusters; k++) {
            if (prices[k] == lowest) {
                int placed = (int) Math.min(left, Math.max(0, -excess[k]));
                idle[k] += placed;
                excess[k] += placed;
                left -= placed;
                first = first < 0 ? k : first;
            }
        }
        if (left > 0) {
            idle[first] += Math.toIntExact(left);
            excess[first] = Math.toIntExact(excess[first] + left);
        }
    }

    private boolean hasExcess() {
        for (int e : excess) {
            if (e > 0) {
                return true;
            }
        }
        return false;
    }

    /** Finds the nearest cluster with room, leaving distances and parents up to there. */
    private int nearestWithRoom() {
        for (int k = 0; k < clusters; k++) {
            distance[k] = excess[k] > 0 ? 0 : Double.POSITIVE_INFINITY;
            parent[k] = -1;
            settled[k] = false;
        }
        while (true) {
            int u = nearestUnsettled();
            if (excess[u] < 0) {
                return u;
            }
            settled[u] = true;
            for (int v = 0; v < clusters; v++) {
                if (!settled[v]) {
                    double extra = idle[u] > 0 ? Math.min(0, movers.extraCost(u, v)) : movers.extraCost(u, v);
                    // Only rounding could make it negative.
                    double weight = Math.max(0, extra + prices[v] - prices[u]);
                    if (distance[u] + weight < distance[v]) {
                        distance[v] = distance[u] + weight;
                        parent[v] = u;
                    }
                }
            }
        }
    }

    /** Of equally near ones first those with room, then the lowest. */
    private int nearestUnsettled() {
        int nearest = -1;
        for (int k = 0; k < clusters; k++) {
            if (!settled[k]
                    && (nearest < 0
                            || distance[k] < distance[nearest]
                            || (distance[k] == distance[nearest] && excess[k] < 0 && excess[nearest] >= 0))) {
                nearest = k;
            }
        }
        return nearest;
    }

    /** Raises prices so that the edges of the path just found weigh 0, and none less. */
    private void raisePrices(double pathLength) {
        for (int k = 0; k < clusters; k++) {
            if (distance[k] < pathLength) {
                prices[k] += pathLength - distance[k];
            }
        }
    }

    private void moveAlongPathTo(int end) {
        // From the end, so that each edge is taken as it was found: what comes to v arrives after something has left
        // it.
        int v = end;
        for (int u = parent[v]; u >= 0; v = u, u = parent[v]) {
            if (idle[u] > 0 && movers.extraCost(u, v) >= 0) {
                idle[u]--;
                idle[v]++;
            } else {
                int row = movers.row(u, v);
                clusterOf[row] = v;
                movers.left(u);
                movers.entered(row, v);
            }
        }
        excess[v]--;
        excess[end]++;
    }
}
