package io.eldr.calibration.refit;

import org.springframework.stereotype.Component;

/** Tells running refits that this process is about to end; another one starts them again. */
@Component
class RefitStop {
    private volatile boolean requested;

    void request() {
        requested = true;
    }

    /** @throws RefitStoppedException if the process is about to end */
    void check() {
        if (requested) {
            throw new RefitStoppedException();
        }
    }

    /** A refit was left where it was, for another process to start again. */
    static final class RefitStoppedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        RefitStoppedException() {
            super("the process is about to end");
        }
    }
}
