package io.eldr.launcher.client;

/** A service refused a call. The message holds what the service said about it. */
public final class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;

    ApiException(int status, String message) {
        super(message);
        this.status = status;
    }

    /** The HTTP status of the refusal. */
    public int status() {
        return status;
    }
}
