package io.eldr.core.quality;

/**
 * The rank correlation of many float32 vectors with one and the same target. It holds the memory for one of them at a
 * time: set every value, then ask for the correlation. Not thread-safe; use one per thread.
 */
final class RankCorrelator {
    private final Ranks target;
    /** Upper half: sortable bits of a value; lower half: the target's rank. */
    private final long[] items;

    private final RadixSort.Scratch scratch;

    RankCorrelator(Ranks target) {
        this.target = target;
        this.items = new long[target.count()];
        this.scratch = new RadixSort.Scratch(target.count());
    }

    void set(int index, float value) {
        items[index] = (long) RadixSort.sortableBits(value) << 32 | (target.centred(index) & 0xFFFF_FFFFL);
    }

    /** Spearman's correlation of the values with the target; NaN if either is constant. */
    double correlation() {
        long[] sorted = RadixSort.sortByUpperHalf(items, scratch);
        int n = sorted.length;
        double products = 0;
        double squares = 0;
        for (int from = 0; from < n; ) {
            int key = (int) (sorted[from] >>> 32);
            long targets = (int) sorted[from];
            int to = from + 1;
            while (to < n && (int) (sorted[to] >>> 32) == key) {
                targets += (int) sorted[to];
                to++;
            }
            double rank = Ranks.centredRank(from, to, n);
            products += rank * targets;
            squares += rank * rank * (to - from);
            from = to;
        }
        double scale = Math.sqrt(squares * target.squares());
        return scale == 0 ? Double.NaN : products / scale;
    }
}
