package io.eldr.core.quality;

/**
 * The ranks of n values, ties sharing the average of their ranks, kept as whole numbers: twice the rank less n+1, so that
 * they sum to 0.
 */
final class Ranks {
    private final int[] centred;
    private final double squares;

    private Ranks(int[] centred) {
        this.centred = centred;
        double sum = 0;
        for (int rank : centred) {
            sum += (double) rank * rank;
        }
        this.squares = sum;
    }

    static Ranks of(double[] values) {
        long[] keys = new long[values.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = RadixSort.sortableBits(requireNumber(values[i]));
        }
        int[] order = RadixSort.order(keys);
        int[] centred = new int[values.length];
        for (int from = 0; from < order.length; ) {
            int to = from + 1;
            while (to < order.length && keys[order[to]] == keys[order[from]]) {
                to++;
            }
            for (int i = from; i < to; i++) {
                centred[order[i]] = centredRank(from, to, order.length);
            }
            from = to;
        }
        return new Ranks(centred);
    }

    static Ranks of(float[] values) {
        int n = values.length;
        long[] items = new long[n];
        for (int i = 0; i < n; i++) {
            requireNumber(values[i]);
            items[i] = (long) RadixSort.sortableBits(values[i]) << 32 | i;
        }
        long[] sorted = RadixSort.sortByUpperHalf(items, new RadixSort.Scratch(n));
        int[] centred = new int[n];
        for (int from = 0; from < n; ) {
            int to = from + 1;
            while (to < n && sorted[to] >>> 32 == sorted[from] >>> 32) {
                to++;
            }
            for (int i = from; i < to; i++) {
                centred[(int) sorted[i]] = centredRank(from, to, n);
            }
            from = to;
        }
        return new Ranks(centred);
    }

    /** The rank, as kept here, of the values at the sorted positions {@code from} to {@code to - 1} that are equal. */
    static int centredRank(int from, int to, int count) {
        // Ranks from+1 to `to` average (from+1+to)/2.
        return from + to - count;
    }

    int count() {
        return centred.length;
    }

    int centred(int index) {
        return centred[index];
    }

    /** The sum of the squares of what {@link #centred} gives; 0 if all values are equal. */
    double squares() {
        return squares;
    }

    private static double requireNumber(double value) {
        if (Double.isNaN(value)) {
            throw new IllegalArgumentException("NaN has no rank");
        }
        return value;
    }
}
