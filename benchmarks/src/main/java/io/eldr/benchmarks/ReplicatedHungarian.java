package io.eldr.benchmarks;

import java.util.Arrays;

/**
 * The assignment as the ELDR paper makes it: the Hungarian method, by shortest augmenting paths, on each centroid
 * replicated {@code ceil(N/K)} times. Takes O(N^3) time; here only to compare with.
 */
final class ReplicatedHungarian {
    private ReplicatedHungarian() {}

    /** The lowest total cost of giving each of N rows a place of its own. */
    static double solve(double[] costs, int rows, int clusters) {
        int copies = Math.ceilDiv(rows, clusters);
        int places = copies * clusters;
        double[] rowPrice = new double[rows];
        double[] placePrice = new double[places];
        int[] rowAt = new int[places];
        Arrays.fill(rowAt, -1);
        double[] distance = new double[places];
        int[] before = new int[places];
        boolean[] done = new boolean[places];
        for (int start = 0; start < rows; start++) {
            Arrays.fill(distance, Double.POSITIVE_INFINITY);
            Arrays.fill(done, false);
            int row = start;
            int from = -1;
            double reached = 0;
            while (true) {
                int nearest = -1;
                for (int place = 0; place < places; place++) {
                    if (!done[place]) {
                        double length =
                                reached + costs[row * clusters + place / copies] - rowPrice[row] - placePrice[place];
                        if (length < distance[place]) {
                            distance[place] = length;
                            before[place] = from;
                        }
                        if (nearest < 0 || distance[place] < distance[nearest]) {
                            nearest = place;
                        }
                    }
                }
                reached = distance[nearest];
                done[nearest] = true;
                from = nearest;
                if (rowAt[nearest] < 0) {
                    break;
                }
                row = rowAt[nearest];
            }
            rowPrice[start] += reached;
            for (int place = 0; place < places; place++) {
                if (done[place] && place != from) {
                    rowPrice[rowAt[place]] += reached - distance[place];
                    placePrice[place] -= reached - distance[place];
                }
            }
            int place = from;
            while (before[place] >= 0) {
                rowAt[place] = rowAt[before[place]];
                place = before[place];
            }
            rowAt[place] = start;
        }
        double total = 0;
        for (int place = 0; place < places; place++) {
            if (rowAt[place] >= 0) {
                total += costs[rowAt[place] * clusters + place / copies];
            }
        }
        return total;
    }
}
