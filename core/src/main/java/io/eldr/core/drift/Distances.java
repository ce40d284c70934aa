package io.eldr.core.drift;

import java.util.List;

/** How far two samples of a distribution lie apart, and how far they lie apart by chance. */
final class Distances {
    /** Added to each cell, so that an empty one makes neither side infinite (Jeffreys' prior). */
    private static final double SMOOTHING = 0.5;

    private Distances() {}

    /**
     * The population stability index {@code sum((q - p) * ln(q / p))} over B cells.
     *
     * @param shares of the first sample, adding up to 1
     * @param sampled N, the size of the first sample
     * @param counts of the second sample
     * @param counted M, their sum
     */
    static double stability(List<Double> shares, long sampled, List<Long> counts, long counted) {
        double prior = SMOOTHING * shares.size();
        double sum = 0;
        for (int b = 0; b < shares.size(); b++) {
            double p = (shares.get(b) * sampled + SMOOTHING) / (sampled + prior);
            double q = (counts.get(b) + SMOOTHING) / (counted + prior);
            sum += (q - p) * Math.log(q / p);
        }
        return sum;
    }

    /** What that index is on average where both samples come from one distribution: {@code (B-1)(1/N + 1/M)}. */
    static double expectedStability(int cells, long sampled, long counted) {
        return (cells - 1) * (1.0 / sampled + 1.0 / counted);
    }

    /** The largest difference of the two cumulative distributions at the edges of the bins, 0 to 1. */
    static double kolmogorovSmirnov(List<Integer> first, List<Long> second) {
        long firstTotal = first.stream().mapToLong(Integer::longValue).sum();
        long secondTotal = second.stream().mapToLong(Long::longValue).sum();
        long firstBelow = 0;
        long secondBelow = 0;
        double largest = 0;
        for (int bin = 0; bin < first.size(); bin++) {
            firstBelow += first.get(bin);
            secondBelow += second.get(bin);
            double difference = (double) firstBelow / firstTotal - (double) secondBelow / secondTotal;
            largest = Math.max(largest, Math.abs(difference));
        }
        return largest;
    }

    /**
     * The distance that samples of N and M from one distribution exceed with the given probability, by the limit for large
     * samples: {@code sqrt(-ln(a/2)/2 * (N+M)/(NM))}. In bins it is exceeded less often.
     */
    static double significantKolmogorovSmirnov(double significance, long sampled, long counted) {
        return Math.sqrt(-Math.log(significance / 2) / 2 * (1.0 / sampled + 1.0 / counted));
    }
}
