package io.eldr.db.drift;

import io.eldr.core.drift.DriftState;
import io.eldr.core.drift.ObservationWindow;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known of a pool's drift under one generation.
 *
 * @param window what came in since the last full window
 * @param startedAt since when
 * @param state what the full windows so far make of the pool
 * @param alarmSince present while there is an alarm
 * @param refitRequested whether a refit was asked for since the alarm was raised
 */
public record DriftWatch(
        long poolId,
        long generation,
        int version,
        ObservationWindow window,
        Instant startedAt,
        DriftState state,
        Optional<Instant> alarmSince,
        boolean refitRequested) {
    public DriftWatch {
        if (state.alarm() != alarmSince.isPresent()) {
            throw new IllegalArgumentException("an alarm has a beginning, and nothing else has");
        }
    }

    /** Nothing is known yet. */
    public static DriftWatch begun(long poolId, long generation, int version, ObservationWindow empty, Instant now) {
        return new DriftWatch(poolId, generation, version, empty, now, DriftState.CALM, Optional.empty(), false);
    }

    public DriftWatch with(ObservationWindow filled) {
        return new DriftWatch(poolId, generation, version, filled, startedAt, state, alarmSince, refitRequested);
    }

    /** After a full window: an empty one begins. A refit that was asked for counts until the alarm ends. */
    public DriftWatch after(DriftState next, Instant now) {
        ObservationWindow empty = ObservationWindow.empty(
                window.nearest().size(), window.similarities().size());
        Optional<Instant> since = next.alarm() ? Optional.of(alarmSince.orElse(now)) : Optional.empty();
        return new DriftWatch(poolId, generation, version, empty, now, next, since, refitRequested && next.alarm());
    }
}
