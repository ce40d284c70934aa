package io.eldr.core.load;

import io.eldr.core.signature.InvalidInputException;
import java.time.Duration;

/**
 * How long a reservation stays open without a word from its owner.
 *
 * @param seconds 1 to 600
 */
public record Lease(long seconds) {
    public static final int MAX_SECONDS = 600;
    public static final Lease DEFAULT = new Lease(60);

    /** @throws InvalidInputException naming {@code leaseSeconds} */
    public Lease {
        if (seconds < 1 || seconds > MAX_SECONDS) {
            throw new InvalidInputException(
                    "leaseSeconds", "must be between 1 and " + MAX_SECONDS + " but is " + seconds);
        }
    }

    public static Lease ofSeconds(long seconds) {
        return new Lease(seconds);
    }

    public Duration duration() {
        return Duration.ofSeconds(seconds);
    }
}
