package io.eldr.db.pool;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.mapping.Checks;
import java.util.OptionalInt;

/**
 * Which samples a pool keeps: the newest, and none that are too old.
 *
 * @param maxSamples how many, 1 to 100,000,000; empty leaves it to the service
 * @param maxAgeDays how old, 1 to 36,500 days; empty leaves it to the service
 */
public record Retention(OptionalInt maxSamples, OptionalInt maxAgeDays) {
    public static final int MOST_SAMPLES = 100_000_000;
    public static final int MOST_DAYS = 36_500;

    /** @throws InvalidInputException naming {@code retention.maxSamples} or {@code retention.maxAgeDays} */
    public Retention {
        maxSamples.ifPresent(samples -> Checks.range("retention.maxSamples", samples, 1, MOST_SAMPLES));
        maxAgeDays.ifPresent(days -> Checks.range("retention.maxAgeDays", days, 1, MOST_DAYS));
    }
}
