package io.eldr.calibration.job;

import io.eldr.db.job.JobRow;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import java.time.Duration;
import java.util.Collection;
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

/**
 * Tells listeners how work goes on, on whichever replica they run: one thread reads the rows that anybody listens to, so that
 * no listener holds a connection to the registry. Who is slow misses steps, never the last one.
 *
 * @param <R> its row
 * @param <V> how it is shown
 */
public abstract class JobFeed<R extends JobRow, V> implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(JobFeed.class);
    private static final Duration INTERVAL = Duration.ofMillis(250);
    private static final int MOST_LISTENERS = 1_000;

    private final String name;
    private final Function<Collection<Long>, List<R>> rows;
    private final View<R, V> views;
    private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService thread;
    private volatile boolean running;

    /**
     * @param name what a piece is called, such as {@code refit}
     * @param rows reads the rows of these numbers
     */
    protected JobFeed(String name, Function<Collection<Long>, List<R>> rows, View<R, V> views) {
        this.name = name;
        this.rows = rows;
        this.views = views;
        this.thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name(name + "-feed").daemon().factory());
    }

    /** Shows a row; whole with its report, once it is over. */
    @FunctionalInterface
    public interface View<R, V> {
        V of(String pool, R row);
    }

    /** What a piece is called, and its event. */
    String name() {
        return name;
    }

    /**
     * Begins to listen to a piece, whose present state is heard first.
     *
     * @throws org.springframework.web.ErrorResponseException 503 if too many listen already
     */
    public Listener listen(String pool, long run) {
        if (listeners.size() >= MOST_LISTENERS) {
            throw Problems.exception(ProblemType.UNAVAILABLE, "Too many listen already. Try again soon.");
        }
        Listener listener = new Listener(pool, run);
        listeners.add(listener);
        rows.apply(List.of(run)).forEach(listener::see);
        return listener;
    }

    private void look() {
        List<Listener> now = List.copyOf(listeners);
        if (now.isEmpty()) {
            return;
        }
        try {
            Map<Long, R> found = rows
                    .apply(now.stream().map(listener -> listener.run).distinct().toList())
                    .stream()
                    .collect(Collectors.toMap(JobRow::id, Function.identity()));
            now.forEach(listener -> Optional.ofNullable(found.get(listener.run)).ifPresent(listener::see));
        } catch (RuntimeException away) {
            log.info("Listeners to {}s are sent away: {}", name, away.toString());
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

    /** One that listens to one piece. */
    public final class Listener implements AutoCloseable {
        private static final int NOTHING = -1;

        private final String pool;
        private final long run;
        /** The newest that was not heard yet. */
        private final BlockingQueue<JobNews<V>> unheard = new ArrayBlockingQueue<>(1);

        private int seen = NOTHING;
        private boolean over;

        private Listener(String pool, long run) {
            this.pool = pool;
            this.run = run;
        }

        /** The next news; empty if there are none for so long. */
        public Optional<JobNews<V>> next(Duration patience) throws InterruptedException {
            return Optional.ofNullable(unheard.poll(patience.toNanos(), TimeUnit.NANOSECONDS));
        }

        private synchronized void see(R row) {
            if (row.revision() != seen) {
                seen = row.revision();
                put(new JobNews.Changed<>(views.of(pool, row), seen, row.isOver()), row.isOver());
            }
        }

        private synchronized void end(String why) {
            put(new JobNews.Unavailable<>(why), true);
        }

        private void put(JobNews<V> news, boolean last) {
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
