package io.eldr.core.load;

import io.eldr.core.signature.InvalidInputException;
import java.time.Duration;

/**
 * How long a reservation stays open without a word from its owner.
 *
 * @param duration 1 to 600 seconds
 */
public record Lease(Duration duration) {
    public static final int MAX_SECONDS = 600;
    public static final Lease DEFAULT = ofSeconds(60);

    /** @throws InvalidInputException naming {@code leaseSeconds} */
    public Lease {
        if (duration.compareTo(Duration.ofSeconds(1)) < 0 || duration.compareTo(Duration.ofSeconds(MAX_SECONDS)) > 0) {
            throw new InvalidInputException(
                    "leaseSeconds", "must be between 1 and " + MAX_SECONDS + " but is " + duration.toSeconds());
        }
    }

    /** @throws InvalidInputException naming {@code leaseSeconds} */
    public static Lease ofSeconds(long seconds) {
        return new Lease(Duration.ofSeconds(seconds));
    }
}
