package io.eldr.core.load;

import io.eldr.core.signature.InvalidInputException;
import java.time.Duration;

/** How long a reservation stays open without a word from its owner: 1 to 600 seconds. */
public record Lease(Duration duration) {
    public static final Lease DEFAULT = Lease.ofSeconds(60);

    private static final Duration MIN = Duration.ofSeconds(1);
    private static final Duration MAX = Duration.ofMinutes(10);

    /** @throws InvalidInputException naming {@code leaseSeconds} */
    public Lease {
        if (duration.compareTo(MIN) < 0 || duration.compareTo(MAX) > 0) {
            throw new InvalidInputException(
                    "leaseSeconds", "must be between 1 and 600 but is " + duration.toMillis() / 1000.0);
        }
    }

    public static Lease ofSeconds(long seconds) {
        if (seconds < 1 || seconds > 600) {
            throw new InvalidInputException("leaseSeconds", "must be between 1 and 600 but is " + seconds);
        }
        return new Lease(Duration.ofSeconds(seconds));
    }
}
