package io.eldr.service.access;

/** A service named a user that cannot be written into an audit row. */
public final class InvalidActingUserException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InvalidActingUserException() {
        super("must be at most 128 characters without control characters");
    }
}
