package io.eldr.db.mapping;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Postgres keeps microseconds; times are cut to them before they are stored, so that a value reads back equal. */
public final class DatabaseTime {
    private DatabaseTime() {}

    public static Instant of(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MICROS);
    }
}
