package io.eldr.launcher.console;

/** A command was used wrongly. The message names the option; exit code 2. */
public final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}
