package io.eldr.core.load;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until it is moved. */
final class MutableClock implements InstantSource {
    private final AtomicLong millis =
            new AtomicLong(Instant.parse("2026-01-01T00:00:00Z").toEpochMilli());

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis.get());
    }

    void advance(Duration duration) {
        millis.addAndGet(duration.toMillis());
    }
}
