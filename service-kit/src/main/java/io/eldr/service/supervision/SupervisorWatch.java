package io.eldr.service.supervision;

import java.io.IOException;
import java.io.InputStream;

/**
 * Waits for the end of a stream that a supervisor holds open for as long as it lives, usually standard input. The
 * operating system closes the supervisor's end however it died, so no child outlives it, not even after SIGKILL.
 */
public final class SupervisorWatch {

    private final InputStream lifeline;
    private final Runnable onEnd;

    /**
     * @param lifeline what is read to its end; the bytes mean nothing
     * @param onEnd runs once, on the watching thread, when the stream has ended or broken
     */
    public SupervisorWatch(InputStream lifeline, Runnable onEnd) {
        this.lifeline = lifeline;
        this.onEnd = onEnd;
    }

    /** Starts to watch on a daemon thread of its own. */
    public void start() {
        Thread.ofPlatform().name("supervisor-watch").daemon().start(this::watch);
    }

    private void watch() {
        byte[] ignored = new byte[256];
        try {
            while (lifeline.read(ignored) >= 0) {
                // Only the end counts.
            }
        } catch (IOException e) {
            // A broken pipe ends as a closed one does.
        }
        onEnd.run();
    }
}
