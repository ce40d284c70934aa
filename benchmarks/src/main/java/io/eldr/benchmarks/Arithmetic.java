package io.eldr.benchmarks;

import java.util.Arrays;

/**
 * Arithmetic in registers, without memory, locks or allocation, that takes about as long as something else. Where its slowest
 * runs are much slower than its median, it is the machine that interrupts.
 */
final class Arithmetic {
    private static final int BEGIN = 1_000;
    private static final int RUNS = 2_000;

    private final int steps;
    private long value = 1;

    private Arithmetic(int steps) {
        this.steps = steps;
    }

    /** With a median run of about so long. */
    static Arithmetic lasting(long nanos) {
        Arithmetic trial = new Arithmetic(BEGIN);
        trial.medianNanos();
        return new Arithmetic((int) Math.max(1, BEGIN * nanos / Math.max(1, trial.medianNanos())));
    }

    private long medianNanos() {
        long[] nanos = new long[RUNS];
        for (int i = 0; i < RUNS; i++) {
            nanos[i] = run();
        }
        Arrays.sort(nanos);
        return nanos[RUNS / 2];
    }

    /** @return how long it took, in nanoseconds */
    long run() {
        long start = System.nanoTime();
        long x = value;
        for (int i = 0; i < steps; i++) {
            x = x * 6_364_136_223_846_793_005L + 1;
            x ^= x >>> 13;
        }
        value = x;
        return System.nanoTime() - start;
    }
}
