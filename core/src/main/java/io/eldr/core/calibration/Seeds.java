package io.eldr.core.calibration;

/** Seeds for pieces of work that must not depend on who does them. */
final class Seeds {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final long FIRST = 0xBF58476D1CE4E5B9L;
    private static final long SECOND = 0x94D049BB133111EBL;

    private Seeds() {}

    /** A seed for one of many pieces (SplitMix64's finaliser). */
    static long mix(long seed, long piece) {
        long z = seed + GOLDEN * (piece + 1);
        z = (z ^ z >>> 30) * FIRST;
        z = (z ^ z >>> 27) * SECOND;
        return z ^ z >>> 31;
    }
}
