package io.eldr.core.routing;

import java.util.Arrays;

/** What a request would cost on each decoder, by its position in the snapshot; NaN for one that could not take it. */
public final class UnionPrices {
    private final double[] millis;
    private final double[] added;
    private final double[] union;

    UnionPrices(int decoders) {
        millis = new double[decoders];
        added = new double[decoders];
        union = new double[decoders];
        Arrays.fill(millis, Double.NaN);
        Arrays.fill(added, Double.NaN);
        Arrays.fill(union, Double.NaN);
    }

    void set(int decoder, double price, double addedExperts, double activeExperts) {
        millis[decoder] = price;
        added[decoder] = addedExperts;
        union[decoder] = activeExperts;
    }

    /** The root of how much the squares of what all there wait for a step grow, itself included. */
    public double millis(int decoder) {
        return millis[decoder];
    }

    /** How many experts it is expected to add to a step, summed over layers. */
    public double addedExperts(int decoder) {
        return added[decoder];
    }

    /** How many are expected to be active without it. */
    public double activeExperts(int decoder) {
        return union[decoder];
    }
}
