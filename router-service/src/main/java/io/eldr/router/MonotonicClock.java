package io.eldr.router;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The time at its start plus what elapsed since. Unlike the system's time it never jumps, so that a corrected system clock
 * does not end every lease at once; it may come to differ from it.
 */
final class MonotonicClock implements InstantSource {

    private final Instant start;
    private final LongSupplier nanoTime;
    private final long startNanos;

    /** @param nanoTime as {@link System#nanoTime()} */
    MonotonicClock(Instant start, LongSupplier nanoTime) {
        this.start = start;
        this.nanoTime = nanoTime;
        this.startNanos = nanoTime.getAsLong();
    }

    /** Starts now. */
    static MonotonicClock system() {
        return new MonotonicClock(Instant.now(), System::nanoTime);
    }

    @Override
    public Instant instant() {
        return start.plusNanos(nanoTime.getAsLong() - startNanos);
    }
}
