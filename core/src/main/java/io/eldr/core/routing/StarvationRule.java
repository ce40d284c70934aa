package io.eldr.core.routing;

import java.time.Duration;

/**
 * When a decoder is said to starve: it has stood idle for {@code after}, and all that time some decoder had at least two
 * requests and at least {@code factor} times the mean load.
 */
public record StarvationRule(double factor, Duration after) {
    public static final StarvationRule DEFAULT = new StarvationRule(2, Duration.ofSeconds(5));

    public StarvationRule {
        if (!(factor > 1) || !Double.isFinite(factor)) {
            throw new IllegalArgumentException("factor must be a finite number above 1 but is " + factor);
        }
        if (after.isNegative()) {
            throw new IllegalArgumentException("after must not be negative but is " + after);
        }
    }
}
