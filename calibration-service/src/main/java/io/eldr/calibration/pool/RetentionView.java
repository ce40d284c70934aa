package io.eldr.calibration.pool;

import io.eldr.db.pool.Retention;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which samples a pool keeps; what is absent is left to the service's setting.
 *
 * @param maxSamples so many of the newest
 * @param maxAgeDays none that came in earlier
 */
record RetentionView(Optional<Integer> maxSamples, Optional<Integer> maxAgeDays) {
    static RetentionView of(Retention retention) {
        return new RetentionView(boxed(retention.maxSamples()), boxed(retention.maxAgeDays()));
    }

    private static Optional<Integer> boxed(OptionalInt value) {
        return value.isPresent() ? Optional.of(value.getAsInt()) : Optional.empty();
    }
}
