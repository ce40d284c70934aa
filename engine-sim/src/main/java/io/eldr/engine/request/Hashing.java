package io.eldr.engine.request;

/** Hashes that are the same on every machine and in every run. */
final class Hashing {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private Hashing() {}

    /** One more value on top of what was hashed before (the mixer of SplitMix64). */
    static long mix(long hash, long value) {
        long z = (hash ^ value) + GOLDEN;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
