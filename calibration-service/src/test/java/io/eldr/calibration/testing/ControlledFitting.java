package io.eldr.calibration.testing;

import io.eldr.calibration.refit.Fitting;
import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.calibration.Calibration;
import io.eldr.core.calibration.CalibrationListener;
import io.eldr.core.calibration.CalibrationOptions;
import io.eldr.core.calibration.CalibrationStage;
import io.eldr.core.calibration.Calibrator;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Parallel;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** Fits that take as long as the test wants them to. */
public final class ControlledFitting implements Fitting {
    private final Calibrator calibrator = new Calibrator(Parallel.sequential(), System::nanoTime);
    private final AtomicReference<CountDownLatch> released = new AtomicReference<>(new CountDownLatch(1));
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger finished = new AtomicInteger();

    /** Puts it in the place of the core's. No component, so that only who names it gets it. */
    public static class Replacement {
        @Bean
        @Primary
        ControlledFitting controlledFitting() {
            return new ControlledFitting();
        }
    }

    /** Lets all fits come to their end. */
    public void release() {
        released.get().countDown();
    }

    /** From now on no fit comes to its end, as at first. */
    public void hold() {
        released.set(new CountDownLatch(1));
    }

    /** How many fits came to their end. */
    public int finished() {
        return finished.get();
    }

    /** How many fits are held now. */
    public int running() {
        return running.get();
    }

    @Override
    public Calibration fit(
            ModelIdentity model,
            List<RequestSample> samples,
            CalibrationOptions options,
            CalibrationListener listener) {
        running.incrementAndGet();
        try {
            CountDownLatch end = released.get();
            while (!end.await(5, TimeUnit.MILLISECONDS)) {
                listener.progress(CalibrationStage.MASK, 0.5);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted");
        } finally {
            running.decrementAndGet();
        }
        Calibration fitted = calibrator.calibrate(model, samples, options, listener);
        finished.incrementAndGet();
        return fitted;
    }
}
