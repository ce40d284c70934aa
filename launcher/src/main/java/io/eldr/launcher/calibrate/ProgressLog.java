package io.eldr.launcher.calibrate;

import io.eldr.core.calibration.CalibrationListener;
import io.eldr.core.calibration.CalibrationStage;
import io.eldr.launcher.console.Console;
import java.util.Locale;

/** Tells the console when a fit enters its next stage. */
final class ProgressLog implements CalibrationListener {
    private final Console console;
    private CalibrationStage last = CalibrationStage.SPLIT;

    ProgressLog(Console console) {
        this.console = console;
    }

    @Override
    public void progress(CalibrationStage stage, double fraction) {
        if (stage != last) {
            last = stage;
            console.log("calibrate: " + stage.name().toLowerCase(Locale.ROOT));
        }
    }
}
