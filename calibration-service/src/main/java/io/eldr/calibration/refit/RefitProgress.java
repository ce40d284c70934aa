package io.eldr.calibration.refit;

import io.eldr.calibration.job.JobProgress;
import io.eldr.calibration.job.JobStop;
import io.eldr.calibration.job.JobWatch;
import io.eldr.calibration.web.Fields;
import io.eldr.core.calibration.CalibrationListener;
import io.eldr.core.calibration.CalibrationStage;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.function.LongSupplier;

/** Shows how far an attempt is. Safe for the threads of a fit. */
final class RefitProgress implements CalibrationListener {
    /** The stage before the fit, in which samples are read. */
    static final String READ = "read";
    /** The stage after the fit, in which it is judged. */
    static final String GATE = "gate";

    private static final double FIT_BEGINS = 0.05;
    private static final double FIT_ENDS = 0.97;

    private final JobProgress progress;

    RefitProgress(
            RefitLifecycle lifecycle,
            RefitLifecycle.Attempt attempt,
            JobStop stop,
            JobWatch.Watched watched,
            Duration interval,
            LongSupplier nanos) {
        this.progress = new JobProgress(
                (stage, fraction) -> lifecycle.progress(attempt, stage, fraction), stop, watched, interval, nanos);
    }

    void reading() {
        progress.show(READ, 0);
    }

    void judging() {
        progress.show(GATE, FIT_ENDS);
    }

    /**
     * @param fraction of the stage
     * @throws CancellationException if the run is over or goes on elsewhere
     */
    @Override
    public void progress(CalibrationStage stage, double fraction) {
        double within = begin(stage) + (end(stage) - begin(stage)) * Math.clamp(fraction, 0, 1);
        progress.show(Fields.word(stage), FIT_BEGINS + (FIT_ENDS - FIT_BEGINS) * within);
    }

    /** Shares of the whole as they were measured: the search for the mask takes most of it. */
    private static double begin(CalibrationStage stage) {
        return switch (stage) {
            case SPLIT -> 0;
            case MASK -> 0.02;
            case CLUSTER -> 0.70;
            case MEASURE -> 0.95;
        };
    }

    private static double end(CalibrationStage stage) {
        return switch (stage) {
            case SPLIT -> begin(CalibrationStage.MASK);
            case MASK -> begin(CalibrationStage.CLUSTER);
            case CLUSTER -> begin(CalibrationStage.MEASURE);
            case MEASURE -> 1;
        };
    }
}
