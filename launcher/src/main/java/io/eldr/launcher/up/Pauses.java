package io.eldr.launcher.up;

import io.eldr.launcher.console.CommandFailedException;
import java.time.Duration;

/** Lets time pass between two looks. */
final class Pauses {

    private Pauses() {}

    static void sleep(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted", e);
        }
    }
}
