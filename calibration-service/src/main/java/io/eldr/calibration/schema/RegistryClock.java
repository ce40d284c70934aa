package io.eldr.calibration.schema;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The time of Postgres, which all replicas share however their own clocks go: who is taken for dead, which decoder was seen
 * lately and when a cron's time has come do not depend on the replica that asks. Between two readings it goes with the
 * processor's own count of nanoseconds; before the first one it is the local time.
 */
public final class RegistryClock implements InstantSource {
    /** What a reading may differ by the way it took without being a difference of clocks. */
    private static final Duration TOLERANCE = Duration.ofMillis(50);

    private final InstantSource local;
    private final LongSupplier nanos;
    private volatile Reading anchor;

    /** @param time when {@code nanos} was counted */
    private record Reading(Instant time, long nanos, boolean ofPostgres) {
        Instant at(long now) {
            return time.plusNanos(now - nanos);
        }
    }

    /** @param nanos like {@link System#nanoTime()} */
    public RegistryClock(InstantSource local, LongSupplier nanos) {
        this.local = local;
        this.nanos = nanos;
        this.anchor = new Reading(local.instant(), nanos.getAsLong(), false);
    }

    @Override
    public Instant instant() {
        Reading known = anchor;
        return known.ofPostgres() ? known.at(nanos.getAsLong()) : local.instant();
    }

    /**
     * Postgres said what time it is.
     *
     * @param asked when it was asked, in nanoseconds; the answer is taken to be of half-way between then and now
     */
    void read(Instant time, long asked) {
        long now = nanos.getAsLong();
        long then = asked + (now - asked) / 2;
        Reading known = anchor;
        if (!known.ofPostgres() || Duration.between(known.at(then), time).abs().compareTo(TOLERANCE) > 0) {
            anchor = new Reading(time, then, true);
        }
    }

    long nanos() {
        return nanos.getAsLong();
    }
}
