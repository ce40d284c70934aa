package io.eldr.core.calibration;

/** Hears how far a fit is. */
@FunctionalInterface
public interface CalibrationListener {
    /**
     * Called on the fitting thread, often; an exception thrown here ends the fit.
     *
     * @param fraction of the stage that is done, 0 to 1
     */
    void progress(CalibrationStage stage, double fraction);

    static CalibrationListener none() {
        return (stage, fraction) -> {};
    }
}
