package io.eldr.launcher.console;

import java.io.IOException;
import java.io.InputStream;

/**
 * Waits for the end of a stream that a supervisor holds open as long as it lives, usually standard input: the operating
 * system closes it however the supervisor dies.
 */
public final class Lifeline {
    private final InputStream stream;
    private final Runnable onEnd;

    /** @param onEnd runs once, on a thread of its own */
    public Lifeline(InputStream stream, Runnable onEnd) {
        this.stream = stream;
        this.onEnd = onEnd;
    }

    public void start() {
        Thread.ofPlatform().name("lifeline").daemon().start(this::watch);
    }

    private void watch() {
        byte[] ignored = new byte[256];
        try {
            while (stream.read(ignored) >= 0) {
                // Only the end counts.
            }
        } catch (IOException e) {
            // A broken pipe ends as a closed one does.
        }
        onEnd.run();
    }
}
