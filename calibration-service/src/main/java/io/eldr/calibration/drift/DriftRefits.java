package io.eldr.calibration.drift;

/** Where a pool that drifts gets its refit from. */
@FunctionalInterface
public interface DriftRefits {
    /**
     * Asks for a refit.
     *
     * @param why in words, for whoever looks at it later
     * @return whether one was queued; otherwise it may be asked for again
     */
    boolean request(String pool, String why);
}
