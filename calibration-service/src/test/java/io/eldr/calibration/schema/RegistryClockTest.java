package io.eldr.calibration.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RegistryClockTest {
    private static final Instant LOCAL = Instant.parse("2026-03-01T12:10:00Z");
    private static final Instant POSTGRES = Instant.parse("2026-03-01T12:00:00Z");

    private final AtomicLong nanos = new AtomicLong(1_000);
    private final RegistryClock clock = new RegistryClock(() -> LOCAL, nanos::get);

    @Test
    void isTheLocalTimeUntilPostgresSaysIts() {
        assertThat(clock.instant()).isEqualTo(LOCAL);
        long asked = nanos.get();
        nanos.addAndGet(Duration.ofMillis(4).toNanos());
        clock.read(POSTGRES, asked);
        assertThat(clock.instant()).isEqualTo(POSTGRES.plusMillis(2));
        nanos.addAndGet(Duration.ofHours(1).toNanos());
        assertThat(clock.instant()).isEqualTo(POSTGRES.plusMillis(2).plus(Duration.ofHours(1)));
    }

    @Test
    void followsPostgresButDoesNotTrembleWithEachAnswer() {
        clock.read(POSTGRES, nanos.get());
        clock.read(POSTGRES.minusMillis(20), nanos.get());
        assertThat(clock.instant()).isEqualTo(POSTGRES);
        clock.read(POSTGRES.plusSeconds(5), nanos.get());
        assertThat(clock.instant()).isEqualTo(POSTGRES.plusSeconds(5));
    }
}
