package io.eldr.core.quality;

import java.util.Arrays;

/** Radix sorts of numbers that carry a payload, by the bits of the numbers. */
final class RadixSort {
    private static final int DIGIT_BITS = 11;
    private static final int DIGITS = 1 << DIGIT_BITS;
    private static final int DIGIT_MASK = DIGITS - 1;
    /** 3 digits of 11 bits cover the 32 bits of a float. */
    private static final int FLOAT_PASSES = 3;

    private RadixSort() {}

    /** Bits whose order as unsigned numbers is the order of the values; both zeros give the same. */
    static int sortableBits(float value) {
        int bits = Float.floatToRawIntBits(value + 0.0f);
        return bits ^ ((bits >> 31) | Integer.MIN_VALUE);
    }

    /** Bits whose order as unsigned numbers is the order of the values; both zeros give the same. */
    static long sortableBits(double value) {
        long bits = Double.doubleToRawLongBits(value + 0.0);
        return bits ^ ((bits >> 63) | Long.MIN_VALUE);
    }

    /** Memory for {@link #sortByUpperHalf} of up to {@code size} items, to be used again and again by one thread. */
    static final class Scratch {
        private final long[] spare;
        private final int[] starts = new int[FLOAT_PASSES * DIGITS];

        Scratch(int size) {
            spare = new long[size];
        }
    }

    /**
     * Sorts items by their upper 32 bits taken as unsigned numbers; the lower 32 bits go along.
     *
     * @return the array that holds the sorted items: {@code items} itself or the scratch's own
     */
    static long[] sortByUpperHalf(long[] items, Scratch scratch) {
        int[] starts = scratch.starts;
        Arrays.fill(starts, 0);
        for (long item : items) {
            int key = (int) (item >>> 32);
            starts[key & DIGIT_MASK]++;
            starts[DIGITS + ((key >>> DIGIT_BITS) & DIGIT_MASK)]++;
            starts[2 * DIGITS + (key >>> (2 * DIGIT_BITS))]++;
        }
        long[] from = items;
        long[] to = scratch.spare;
        for (int pass = 0; pass < FLOAT_PASSES; pass++) {
            int base = pass * DIGITS;
            int shift = 32 + pass * DIGIT_BITS;
            if (toStarts(starts, base, items.length)) {
                for (long item : from) {
                    int digit = (int) (item >>> shift) & DIGIT_MASK;
                    to[starts[base + digit]++] = item;
                }
                long[] swap = from;
                from = to;
                to = swap;
            }
        }
        return from;
    }

    /** Turns how often each digit occurs into where its first item goes; false if all items have the same digit. */
    private static boolean toStarts(int[] counts, int base, int total) {
        int start = 0;
        for (int digit = base; digit < base + DIGITS; digit++) {
            int count = counts[digit];
            if (count == total) {
                return false;
            }
            counts[digit] = start;
            start += count;
        }
        return true;
    }

    /** The order of 64-bit keys taken as unsigned numbers: indices from the smallest key to the largest; stable. */
    static int[] order(long[] keys) {
        int n = keys.length;
        int[] from = new int[n];
        for (int i = 0; i < n; i++) {
            from[i] = i;
        }
        int[] to = new int[n];
        for (int shift = 0; shift < Long.SIZE; shift += DIGIT_BITS) {
            int[] starts = new int[DIGITS];
            for (long key : keys) {
                starts[(int) (key >>> shift) & DIGIT_MASK]++;
            }
            if (toStarts(starts, 0, n)) {
                for (int index : from) {
                    to[starts[(int) (keys[index] >>> shift) & DIGIT_MASK]++] = index;
                }
                int[] swap = from;
                from = to;
                to = swap;
            }
        }
        return from;
    }
}
