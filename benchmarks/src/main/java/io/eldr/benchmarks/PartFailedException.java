package io.eldr.benchmarks;

/** A part could not be measured; the message says which and why. */
final class PartFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PartFailedException(String message) {
        super(message);
    }

    PartFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
