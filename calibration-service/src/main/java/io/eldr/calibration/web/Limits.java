package io.eldr.calibration.web;

import io.eldr.core.signature.InvalidInputException;

/** How many entries of a list one answer holds. */
public final class Limits {
    public static final int DEFAULT = 100;
    private static final int MAX = 1_000;

    private Limits() {}

    /** @throws InvalidInputException naming {@code limit} */
    public static int check(int limit) {
        if (limit < 1 || limit > MAX) {
            throw new InvalidInputException("limit", "must be between 1 and " + MAX + " but is " + limit);
        }
        return limit;
    }
}
