package io.eldr.core.clustering;

/**
 * Which cluster each of N rows belongs to.
 *
 * <p>With its prices it carries the proof that it is optimal: no row finds a cluster where cost plus price is lower than
 * in its own, and clusters with room left have price 0.
 */
public final class Assignment {
    private final int[] clusterOf;
    private final double[] prices;
    private final double objective;

    /** Adopts the arrays. */
    Assignment(int[] clusterOf, double[] prices, double objective) {
        this.clusterOf = clusterOf;
        this.prices = prices;
        this.objective = objective;
    }

    /** N. */
    public int rows() {
        return clusterOf.length;
    }

    /** K. */
    public int clusters() {
        return prices.length;
    }

    public int clusterOf(int row) {
        return clusterOf[row];
    }

    /** The cluster of each row. */
    public int[] toArray() {
        return clusterOf.clone();
    }

    /** How many rows each cluster has. */
    public int[] sizes() {
        int[] sizes = new int[prices.length];
        for (int cluster : clusterOf) {
            sizes[cluster]++;
        }
        return sizes;
    }

    /** The total cost. */
    public double objective() {
        return objective;
    }

    /** What one more place in each cluster would save at most; not negative, the lowest is 0. */
    public double[] prices() {
        return prices.clone();
    }
}
