package io.eldr.core.load;

import java.util.concurrent.atomic.AtomicLong;

/** Distinct keys that do not look like a sequence: a bijection of a counter (the finaliser of SplitMix64). */
final class KeySequence {
    private final AtomicLong serial;

    KeySequence(long first) {
        serial = new AtomicLong(first);
    }

    long next() {
        long z = serial.addAndGet(0x9E3779B97F4A7C15L);
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
