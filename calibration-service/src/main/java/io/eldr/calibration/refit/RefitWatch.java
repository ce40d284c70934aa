package io.eldr.calibration.refit;

import io.eldr.calibration.refit.RefitLifecycle.Attempt;
import io.eldr.db.refit.RefitRun;
import io.eldr.db.refit.RefitRunRepository;
import io.eldr.db.refit.RefitState;
import java.time.Duration;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * Ends attempts that nobody wants any more: it looks at the rows of the refits that this replica runs, and interrupts the fit
 * of one that was cancelled, on whichever replica, or that goes on elsewhere.
 */
@Component
class RefitWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RefitWatch.class);
    private static final Duration INTERVAL = Duration.ofMillis(250);

    private final RefitRunRepository runs;
    private final Set<Watched> running = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("refit-watch").daemon().factory());

    RefitWatch(RefitRunRepository runs) {
        this.runs = runs;
        var _ = thread.scheduleWithFixedDelay(
                this::look, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Watches an attempt until it is closed. */
    Watched watch(Attempt attempt) {
        Watched watched = new Watched(attempt);
        running.add(watched);
        return watched;
    }

    private void look() {
        List<Watched> now = List.copyOf(running);
        if (now.isEmpty()) {
            return;
        }
        try {
            Map<Long, RefitRun> rows =
                    runs
                            .findByIdIn(now.stream()
                                    .map(watched -> watched.attempt.run())
                                    .toList())
                            .stream()
                            .collect(Collectors.toMap(RefitRun::id, Function.identity()));
            now.stream().filter(watched -> !goesOn(watched.attempt, rows)).forEach(Watched::end);
        } catch (DataAccessException | TransactionException away) {
            log.debug("The running refits could not be looked at", away);
        } catch (RuntimeException bug) {
            log.error("The running refits could not be looked at", bug);
        }
    }

    private static boolean goesOn(Attempt attempt, Map<Long, RefitRun> rows) {
        RefitRun row = rows.get(attempt.run());
        return row != null && row.state() == RefitState.RUNNING && row.attempts() == attempt.number();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    /** One attempt under watch. */
    final class Watched implements AutoCloseable {
        private final Attempt attempt;
        private boolean over;
        private @Nullable Thread working;

        private Watched(Attempt attempt) {
            this.attempt = attempt;
        }

        /** @throws CancellationException if the run is over, or goes on elsewhere */
        synchronized void check() {
            if (over) {
                throw new CancellationException("refit " + attempt.run() + " goes on without this attempt");
            }
        }

        /**
         * Work that ends with a {@link CancellationException} when its thread is interrupted, and is interrupted when the
         * attempt is over. No interrupt of ours outlives it.
         */
        <T> T interruptible(Supplier<T> work) {
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
