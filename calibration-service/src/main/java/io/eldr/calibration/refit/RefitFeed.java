package io.eldr.calibration.refit;

import io.eldr.db.refit.RefitRun;
import io.eldr.db.refit.RefitRunRepository;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Tells listeners how refits go on, on whichever replica they run: one thread reads the rows that anybody listens to, so that
 * no listener holds a connection to the registry. Who is slow misses steps, never the last one.
 */
@Component
class RefitFeed implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(RefitFeed.class);
    private static final Duration INTERVAL = Duration.ofMillis(250);
    private static final int MOST_LISTENERS = 1_000;

    private final RefitRunRepository runs;
    private final RefitViews views;
    private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("refit-feed").daemon().factory());
    private volatile boolean running;

    RefitFeed(RefitRunRepository runs, RefitViews views) {
        this.runs = runs;
        this.views = views;
    }

    /**
     * Begins to listen to a refit, whose present state is heard first.
     *
     * @throws org.springframework.web.ErrorResponseException 503 if too many listen already
     */
    Listener listen(String pool, long run) {
        if (listeners.size() >= MOST_LISTENERS) {
            throw Problems.exception(ProblemType.UNAVAILABLE, "Too many listen already. Try again soon.");
        }
        Listener listener = new Listener(pool, run);
        listeners.add(listener);
        runs.findById(run).ifPresent(listener::see);
        return listener;
    }

    private void look() {
        List<Listener> now = List.copyOf(listeners);
        if (now.isEmpty()) {
            return;
        }
        try {
            Map<Long, RefitRun> rows =
                    runs
                            .findByIdIn(now.stream()
                                    .map(listener -> listener.run)
                                    .distinct()
                                    .toList())
                            .stream()
                            .collect(Collectors.toMap(RefitRun::id, Function.identity()));
            now.forEach(listener -> Optional.ofNullable(rows.get(listener.run)).ifPresent(listener::see));
        } catch (RuntimeException away) {
            log.info("Listeners to refits are sent away: {}", away.toString());
            now.forEach(listener -> listener.end("Postgres does not answer. Listen again soon."));
        }
    }

    @Override
    public void start() {
        running = true;
        var _ = thread.scheduleWithFixedDelay(
                this::look, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void stop() {
        running = false;
        thread.shutdown();
        listeners.forEach(listener -> listener.end("The service is about to end. Listen again soon."));
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Stopped first: the web server waits for its answers to end. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE;
    }

    /** One that listens to one refit. */
    final class Listener implements AutoCloseable {
        private static final int NOTHING = -1;

        private final String pool;
        private final long run;
        /** The newest that was not heard yet. */
        private final BlockingQueue<RefitNews> unheard = new ArrayBlockingQueue<>(1);

        private int seen = NOTHING;
        private boolean over;

        private Listener(String pool, long run) {
            this.pool = pool;
            this.run = run;
        }

        /** The next news; empty if there are none for so long. */
        Optional<RefitNews> next(Duration patience) throws InterruptedException {
            return Optional.ofNullable(unheard.poll(patience.toNanos(), TimeUnit.NANOSECONDS));
        }

        private synchronized void see(RefitRun row) {
            if (row.revision() != seen) {
                seen = row.revision();
                boolean last = row.state().isFinal();
                put(new RefitNews.Changed(last ? views.whole(pool, row) : views.brief(pool, row), seen), last);
            }
        }

        private synchronized void end(String why) {
            put(new RefitNews.Unavailable(why), true);
        }

        private void put(RefitNews news, boolean last) {
            if (!over) {
                over = last;
                unheard.clear();
                unheard.add(news);
            }
        }

        @Override
        public void close() {
            listeners.remove(this);
        }
    }
}
