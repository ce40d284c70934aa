package io.eldr.admin.upstream;

/** Another service did not do what it was asked; the message goes on from its name: "cannot be reached at ..". */
public final class UpstreamException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UpstreamException(String reason) {
        super(reason);
    }

    UpstreamException(String reason, Throwable cause) {
        super(reason, cause);
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}
