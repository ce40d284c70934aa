package io.eldr.calibration.job;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Shows how far an attempt is: at each new stage, and in between at a bounded rate. A registry that is away for a moment does
 * not disturb the work. Safe for several threads.
 */
public final class JobProgress {
    private static final Logger log = LoggerFactory.getLogger(JobProgress.class);

    private final Writer writer;
    private final JobStop stop;
    private final JobWatch.Watched watched;
    private final long intervalNanos;
    private final LongSupplier nanos;

    private String shownStage = "";
    private long shownAt;

    /** Writes progress into the row. */
    @FunctionalInterface
    public interface Writer {
        void write(String stage, double fraction);
    }

    public JobProgress(Writer writer, JobStop stop, JobWatch.Watched watched, Duration interval, LongSupplier nanos) {
        this.writer = writer;
        this.stop = stop;
        this.watched = watched;
        this.intervalNanos = interval.toNanos();
        this.nanos = nanos;
    }

    /**
     * @param fraction of the whole
     * @throws CancellationException if the run is over or goes on elsewhere
     */
    public synchronized void show(String stage, double fraction) {
        stop.check();
        watched.check();
        long now = nanos.getAsLong();
        if (stage.equals(shownStage) && now - shownAt < intervalNanos) {
            return;
        }
        shownStage = stage;
        shownAt = now;
        try {
            writer.write(stage, fraction);
        } catch (DataAccessException | TransactionException e) {
            log.warn("Progress could not be written: {}", e.toString());
        }
    }
}
