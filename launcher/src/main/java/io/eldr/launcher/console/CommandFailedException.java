package io.eldr.launcher.console;

import java.nio.file.Path;
import java.util.Optional;

/** A command cannot go on. The message is for the person who typed it and says what to do; exit code 1. */
public final class CommandFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Kept as text because exceptions are serializable. */
    private final String logFile;

    public CommandFailedException(String message) {
        super(message);
        logFile = "";
    }

    public CommandFailedException(String message, Throwable cause) {
        super(message, cause);
        logFile = "";
    }

    /** A failure whose reason is in a log file. */
    public CommandFailedException(String message, Path logFile) {
        super(message);
        this.logFile = logFile.toString();
    }

    /** The file whose end shows the reason, if there is one. */
    public Optional<Path> logFile() {
        return logFile.isEmpty() ? Optional.empty() : Optional.of(Path.of(logFile));
    }
}
