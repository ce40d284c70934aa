package io.eldr.calibration.web;

import java.io.IOException;

/** A body goes on beyond its limit. */
final class BodyTooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    BodyTooLargeException(long limit) {
        super("The body is larger than " + limit + " bytes, which is the most that is taken here.");
    }
}
