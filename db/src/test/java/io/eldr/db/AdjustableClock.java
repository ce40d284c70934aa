package io.eldr.db;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that tests set. */
public final class AdjustableClock implements InstantSource {
    private volatile Instant now = RegistryTest.NOON;

    public void set(Instant instant) {
        now = instant;
    }

    @Override
    public Instant instant() {
        return now;
    }
}
