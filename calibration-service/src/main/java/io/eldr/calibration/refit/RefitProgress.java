package io.eldr.calibration.refit;

import io.eldr.calibration.web.Fields;
import io.eldr.core.calibration.CalibrationListener;
import io.eldr.core.calibration.CalibrationStage;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Shows how far an attempt is: at each new stage, and in between at a bounded rate. A registry that is away for a moment does
 * not disturb the fit. Safe for the threads of a fit.
 */
final class RefitProgress implements CalibrationListener {
    /** The stage before the fit, in which samples are read. */
    static final String READ = "read";
    /** The stage after the fit, in which it is judged. */
    static final String GATE = "gate";

    private static final Logger log = LoggerFactory.getLogger(RefitProgress.class);
    private static final double FIT_BEGINS = 0.05;
    private static final double FIT_ENDS = 0.97;

    private final RefitLifecycle lifecycle;
    private final RefitLifecycle.Attempt attempt;
    private final RefitStop stop;
    private final RefitWatch.Watched watched;
    private final long intervalNanos;
    private final LongSupplier nanos;

    private String shownStage = "";
    private long shownAt;

    RefitProgress(
            RefitLifecycle lifecycle,
            RefitLifecycle.Attempt attempt,
            RefitStop stop,
            RefitWatch.Watched watched,
            Duration interval,
            LongSupplier nanos) {
        this.lifecycle = lifecycle;
        this.attempt = attempt;
        this.stop = stop;
        this.watched = watched;
        this.intervalNanos = interval.toNanos();
        this.nanos = nanos;
    }

    void reading() {
        show(READ, 0);
    }

    void judging() {
        show(GATE, FIT_ENDS);
    }

    /**
     * @param fraction of the stage
     * @throws CancellationException if the run is over or goes on elsewhere
     */
    @Override
    public void progress(CalibrationStage stage, double fraction) {
        double within = begin(stage) + (end(stage) - begin(stage)) * Math.clamp(fraction, 0, 1);
        show(Fields.word(stage), FIT_BEGINS + (FIT_ENDS - FIT_BEGINS) * within);
    }

    private synchronized void show(String stage, double overall) {
        stop.check();
        watched.check();
        long now = nanos.getAsLong();
        if (stage.equals(shownStage) && now - shownAt < intervalNanos) {
            return;
        }
        shownStage = stage;
        shownAt = now;
        try {
            lifecycle.progress(attempt, stage, overall);
        } catch (DataAccessException | TransactionException e) {
            log.warn("The progress of refit {} could not be written: {}", attempt.run(), e.toString());
        }
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
