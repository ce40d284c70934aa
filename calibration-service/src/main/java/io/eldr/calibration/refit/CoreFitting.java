package io.eldr.calibration.refit;

import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.calibration.Calibration;
import io.eldr.core.calibration.CalibrationListener;
import io.eldr.core.calibration.CalibrationOptions;
import io.eldr.core.calibration.Calibrator;
import io.eldr.core.trace.RequestSample;
import java.util.List;
import org.springframework.stereotype.Component;

/** The core's calibrator. */
@Component
class CoreFitting implements Fitting {
    private final Calibrator calibrator;

    CoreFitting(FitThreads threads) {
        this.calibrator = new Calibrator(threads.parallel(), System::nanoTime);
    }

    @Override
    public Calibration fit(
            ModelIdentity model,
            List<RequestSample> samples,
            CalibrationOptions options,
            CalibrationListener listener) {
        return calibrator.calibrate(model, samples, options, listener);
    }
}
