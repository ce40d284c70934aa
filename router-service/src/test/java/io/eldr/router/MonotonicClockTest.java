package io.eldr.router;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MonotonicClockTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void itGoesOnFromItsStartByWhatElapsed() {
        AtomicLong nanos = new AtomicLong(17);
        MonotonicClock clock = new MonotonicClock(START, nanos::get);
        assertThat(clock.instant()).isEqualTo(START);
        nanos.addAndGet(1_500_000_000);
        assertThat(clock.instant()).isEqualTo(START.plusMillis(1500));
    }

    @Test
    void itGoesOnWhereTheCounterOverflows() {
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE);
        MonotonicClock clock = new MonotonicClock(START, nanos::get);
        nanos.incrementAndGet();
        assertThat(clock.instant()).isEqualTo(START.plusNanos(1));
    }
}
