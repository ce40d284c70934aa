package io.eldr.simulator.cluster;

import io.eldr.core.cost.ActiveExperts;
import java.util.Arrays;

/**
 * The union of a batch's expert sets. What {@link ActiveExperts} does for few requests, as loops over plain arrays that the
 * compiler turns into vector instructions.
 */
final class UnionBits {
    private final long[] bits;

    UnionBits(int words) {
        bits = new long[words];
    }

    void clear() {
        Arrays.fill(bits, 0);
    }

    void add(long[] bank, int from) {
        long[] union = bits;
        for (int i = 0; i < union.length; i++) {
            union[i] |= bank[from + i];
        }
    }

    /** The distinct experts, summed over layers. */
    int count() {
        int count = 0;
        for (long word : bits) {
            count += Long.bitCount(word);
        }
        return count;
    }

    /** The experts on the busiest rank of each layer, summed over layers. */
    int onBusiestRanks(RankMasks masks) {
        return masks.busiest(bits);
    }
}
