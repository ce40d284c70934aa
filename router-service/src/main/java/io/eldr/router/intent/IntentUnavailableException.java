package io.eldr.router.intent;

/** Postgres cannot be asked now. The router goes on with what it knows and asks again. */
public final class IntentUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public IntentUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
