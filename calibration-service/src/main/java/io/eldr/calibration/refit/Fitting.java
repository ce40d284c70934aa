package io.eldr.calibration.refit;

import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.calibration.Calibration;
import io.eldr.core.calibration.CalibrationListener;
import io.eldr.core.calibration.CalibrationOptions;
import io.eldr.core.trace.RequestSample;
import java.util.List;

/** Makes an artifact of samples. */
@FunctionalInterface
public interface Fitting {
    Calibration fit(
            ModelIdentity model, List<RequestSample> samples, CalibrationOptions options, CalibrationListener listener);
}
