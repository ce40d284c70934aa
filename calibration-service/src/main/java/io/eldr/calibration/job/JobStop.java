package io.eldr.calibration.job;

import org.springframework.stereotype.Component;

/** Tells running work that this process is about to end; another one starts them again. */
@Component
public class JobStop {
    private volatile boolean requested;

    public void request() {
        requested = true;
    }

    /** @throws JobStoppedException if the process is about to end */
    public void check() {
        if (requested) {
            throw new JobStoppedException();
        }
    }

    /** Work was left where it was, for another process to start again. */
    public static final class JobStoppedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        JobStoppedException() {
            super("the process is about to end");
        }
    }
}
