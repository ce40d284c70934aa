package io.eldr.calibration.refit;

import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.calibration.Calibration;
import io.eldr.core.calibration.CalibrationListener;
import io.eldr.core.calibration.CalibrationOptions;
import io.eldr.core.calibration.Calibrator;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Parallel;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.stereotype.Component;

/** The core's calibrator on all processors. */
@Component
class CoreFitting implements Fitting, AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool(
            Thread.ofPlatform().name("fit-", 0).daemon().factory());
    private final Calibrator calibrator =
            new Calibrator(Parallel.on(threads, Runtime.getRuntime().availableProcessors()), System::nanoTime);

    @Override
    public Calibration fit(
            ModelIdentity model,
            List<RequestSample> samples,
            CalibrationOptions options,
            CalibrationListener listener) {
        return calibrator.calibrate(model, samples, options, listener);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
