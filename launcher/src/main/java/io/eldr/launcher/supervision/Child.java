package io.eldr.launcher.supervision;

import java.io.IOException;
import java.nio.file.Path;

/** Something that runs in a process of its own and can be started again. */
public interface Child {

    /** What a person calls it. */
    String name();

    /** The file its output goes to. */
    Path log();

    /** Starts it; does not wait until it is ready. */
    Running start() throws IOException;

    /** One life of a child. */
    interface Running {

        boolean isAlive();

        /** Waits for its end and says how it ended, for example {@code exit code 137}. */
        String awaitEnd() throws InterruptedException;

        /** Stops it in order, or by force if that takes too long, and returns when it is over. */
        void stop();
    }
}
