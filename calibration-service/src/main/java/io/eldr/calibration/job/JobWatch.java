package io.eldr.calibration.job;

import io.eldr.db.job.JobRow;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Ends attempts that nobody wants any more: it looks at the rows of the work that this replica runs, and interrupts what was
 * cancelled, on whichever replica, or goes on elsewhere.
 */
public abstract class JobWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(JobWatch.class);
    private static final Duration INTERVAL = Duration.ofMillis(250);

    private final String name;
    private final Function<Collection<Long>, List<? extends JobRow>> rows;
    private final Set<Watched> running = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService thread;

    /**
     * @param name what a piece is called, such as {@code refit}
     * @param rows reads the rows of these numbers
     */
    protected JobWatch(String name, Function<Collection<Long>, List<? extends JobRow>> rows) {
        this.name = name;
        this.rows = rows;
        this.thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name(name + "-watch").daemon().factory());
        var _ = thread.scheduleWithFixedDelay(
                this::look, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Watches an attempt until it is closed.
     *
     * @param run the number of the row
     * @param attempt 1, 2, .. within the run
     */
    public Watched watch(long run, int attempt) {
        Watched watched = new Watched(run, attempt);
        running.add(watched);
        return watched;
    }

    private void look() {
        List<Watched> now = List.copyOf(running);
        if (now.isEmpty()) {
            return;
        }
        try {
            Map<Long, JobRow> found = new HashMap<>();
            rows.apply(now.stream().map(watched -> watched.run).toList()).forEach(row -> found.put(row.id(), row));
            now.stream().filter(watched -> !goesOn(watched, found)).forEach(Watched::end);
        } catch (DataAccessException | TransactionException away) {
            log.debug("The running {}s could not be looked at", name, away);
        } catch (RuntimeException bug) {
            log.error("The running {}s could not be looked at", name, bug);
        }
    }

    private static boolean goesOn(Watched watched, Map<Long, JobRow> rows) {
        JobRow row = rows.get(watched.run);
        return row != null && row.isRunning() && row.attempts() == watched.attempt;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    /** One attempt under watch. */
    public final class Watched implements AutoCloseable {
        private final long run;
        private final int attempt;
        private boolean over;
        private @Nullable Thread working;

        private Watched(long run, int attempt) {
            this.run = run;
            this.attempt = attempt;
        }

        /** @throws CancellationException if the run is over, or goes on elsewhere */
        public synchronized void check() {
            if (over) {
                throw new CancellationException(name + " " + run + " goes on without this attempt");
            }
        }

        /**
         * Work that ends with a {@link CancellationException} when its thread is interrupted, and is interrupted when the
         * attempt is over. No interrupt of ours outlives it.
         */
        public <T> T interruptible(Supplier<T> work) {
            synchronized (this) {
                check();
                working = Thread.currentThread();
            }
            try {
                return work.get();
            } finally {
                synchronized (this) {
                    working = null;
                    if (over) {
                        Thread.interrupted();
                    }
                }
            }
        }

        private synchronized void end() {
            over = true;
            if (working != null) {
                // Again at each look: work may have lost an interrupt while it waited for the registry.
                working.interrupt();
            }
        }

        @Override
        public void close() {
            running.remove(this);
        }
    }
}
