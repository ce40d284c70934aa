package io.eldr.simulator.cluster;

import java.util.Arrays;

/**
 * Percentiles of times in milliseconds; NaN where there were none.
 *
 * @param mean the mean of all
 */
public record Percentiles(double p50, double p95, double p99, double mean) {
    /** Of the first {@code count} values, between which it is interpolated. */
    static Percentiles of(double[] values, int count) {
        double[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        return new Percentiles(
                at(sorted, 0.5),
                at(sorted, 0.95),
                at(sorted, 0.99),
                Arrays.stream(sorted).average().orElse(Double.NaN));
    }

    private static double at(double[] sorted, double share) {
        if (sorted.length == 0) {
            return Double.NaN;
        }
        double place = share * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}
