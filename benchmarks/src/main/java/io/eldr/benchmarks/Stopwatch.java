package io.eldr.benchmarks;

import java.util.function.Supplier;

/** Adds up how long pieces of work take. Not thread-safe. */
final class Stopwatch {
    private long nanos;

    <T> T time(Supplier<T> work) {
        long start = System.nanoTime();
        T result = work.get();
        nanos += System.nanoTime() - start;
        return result;
    }

    double seconds() {
        return Math.round(nanos / 1e6) / 1e3;
    }

    /** Less a part that was measured by itself. */
    double secondsWithout(Stopwatch part) {
        return Math.round((nanos - part.nanos) / 1e6) / 1e3;
    }

    double millis() {
        return Math.round(nanos / 1e4) / 1e2;
    }
}
