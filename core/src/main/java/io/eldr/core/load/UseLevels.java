package io.eldr.core.load;

/**
 * Expert use in 16 levels. A probability q that a decode token selects an expert is kept as {@code -ln(1-q)}, which adds up
 * over requests, in whole multiples of {@value #STEP}: 0 to 3, then two levels for each doubling. The largest stands for a
 * q of 0.98, so that no single request makes an expert certain. Because levels are whole numbers, what a request added to
 * a sum can be taken out of it again without any rest, in whatever order.
 */
final class UseLevels {
    static final int COUNT = 16;
    /** Bits of a level's number. */
    static final int BITS = 4;
    /** In {@code -ln(1-q)}: what one unit of a level is worth. */
    static final double STEP = 0.02;

    private static final int[] UNITS = {0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192};

    private static final int PROBABILITY_STEPS = 2_048;
    /** A probability's level, by steps of 1 / PROBABILITY_STEPS. */
    private static final byte[] NEAREST = nearest();

    private static final int CERTAIN = 1_024;
    /** The probability that an expert is idle, by units; at the end it is less than 10^-8. */
    private static final float[] IDLE = idle();

    private UseLevels() {}

    /** The level closest to a probability, in {@code -ln(1-q)}. */
    static int of(double probability) {
        return NEAREST[(int) (probability * PROBABILITY_STEPS + 0.5)];
    }

    /** What a level adds to a sum, 0 to 192. */
    static int units(int level) {
        return UNITS[level];
    }

    /** {@code exp(-STEP units)}. */
    static float idle(int units) {
        return IDLE[Math.min(units, CERTAIN)];
    }

    /** The same for sums of many cells. */
    static void idle(int[] units, float[] out) {
        float[] table = IDLE;
        for (int i = 0; i < out.length; i++) {
            out[i] = table[Math.min(units[i], CERTAIN)];
        }
    }

    private static byte[] nearest() {
        byte[] nearest = new byte[PROBABILITY_STEPS + 1];
        int level = 0;
        for (int i = 0; i <= PROBABILITY_STEPS; i++) {
            double units = -Math.log1p(-(double) i / PROBABILITY_STEPS) / STEP;
            while (level < COUNT - 1 && units - UNITS[level] > UNITS[level + 1] - units) {
                level++;
            }
            nearest[i] = (byte) level;
        }
        return nearest;
    }

    private static float[] idle() {
        float[] idle = new float[CERTAIN + 1];
        for (int i = 0; i <= CERTAIN; i++) {
            idle[i] = (float) Math.exp(-STEP * i);
        }
        return idle;
    }
}
