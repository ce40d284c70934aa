package io.eldr.core.placement;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Packs the experts of one layer onto ranks with the same number each: heaviest first, each to the lightest rank that has a
 * free position (longest processing time with a cardinality cap, as in DeepSeek's EPLB). Where that is no better than
 * leaving experts in order, they are left in order.
 */
final class RankPacking {
    private RankPacking() {}

    /** The expert at each physical position; rank r has the positions from r*E/ranks on. */
    static int[] pack(double[] weights, int ranks) {
        int[] contiguous = contiguous(weights.length);
        int perRank = weights.length / ranks;
        int[] heaviestFirst = IntStream.range(0, weights.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer e) -> -weights[e]))
                .mapToInt(Integer::intValue)
                .toArray();
        int[] packed = new int[weights.length];
        int[] taken = new int[ranks];
        double[] loads = new double[ranks];
        for (int expert : heaviestFirst) {
            int lightest = -1;
            for (int rank = 0; rank < ranks; rank++) {
                if (taken[rank] < perRank && (lightest < 0 || loads[rank] < loads[lightest])) {
                    lightest = rank;
                }
            }
            packed[lightest * perRank + taken[lightest]++] = expert;
            loads[lightest] += weights[expert];
        }
        return heaviest(packed, weights, ranks) < heaviest(contiguous, weights, ranks) ? packed : contiguous;
    }

    /** Expert e at position e. */
    static int[] contiguous(int experts) {
        return IntStream.range(0, experts).toArray();
    }

    /** The load of the heaviest rank. */
    static double heaviest(int[] layout, double[] weights, int ranks) {
        int perRank = layout.length / ranks;
        double heaviest = 0;
        for (int rank = 0; rank < ranks; rank++) {
            double load = 0;
            for (int i = rank * perRank; i < (rank + 1) * perRank; i++) {
                load += weights[layout[i]];
            }
            heaviest = Math.max(heaviest, load);
        }
        return heaviest;
    }
}
