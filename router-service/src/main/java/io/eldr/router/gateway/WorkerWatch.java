package io.eldr.router.gateway;

import io.eldr.core.load.Incarnation;
import io.eldr.router.pool.Pool;
import io.eldr.router.pool.Pools;
import io.eldr.router.pool.ServedState;
import io.eldr.router.pool.WorkerView;
import io.eldr.router.worker.WorkerState;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Tells requests that wait for a worker's first byte that the worker is gone or no longer healthy, so that none of them
 * waits for the end of a time limit. One thread looks after all of them.
 */
@Component
final class WorkerWatch implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(WorkerWatch.class);
    private static final Duration INTERVAL = Duration.ofMillis(250);

    private final Pools pools;
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
    private volatile Thread thread = Thread.ofVirtual().unstarted(() -> {});

    WorkerWatch(Pools pools) {
        this.pools = pools;
    }

    /** A request that waits; each is another one, whatever it waits for. */
    private static final class Waiting {
        private final String pool;
        private final Incarnation worker;
        private final Runnable lost;

        Waiting(String pool, Incarnation worker, Runnable lost) {
            this.pool = pool;
            this.worker = worker;
            this.lost = lost;
        }
    }

    /** Never yields anything; fails once the worker can no longer be expected to answer. */
    <T> Mono<T> lost(String pool, Incarnation worker) {
        return Mono.create(sink -> watch(pool, worker, sink));
    }

    private <T> void watch(String pool, Incarnation worker, MonoSink<T> sink) {
        Waiting entry = new Waiting(
                pool,
                worker,
                () -> sink.error(
                        new EngineClient.BrokenException(new IllegalStateException(worker.slot() + " is gone"))));
        waiting.add(entry);
        sink.onDispose(() -> waiting.remove(entry));
    }

    private void look() {
        for (Waiting entry : waiting) {
            boolean there = pools.find(entry.pool)
                    .map(Pool::state)
                    .filter(state -> serves(state, entry.worker))
                    .isPresent();
            if (!there) {
                // Whoever is told no longer waits, by which the entry goes.
                entry.lost.run();
            }
        }
    }

    private static boolean serves(ServedState state, Incarnation worker) {
        return Stream.concat(state.prefillers().stream(), state.decoders().stream())
                .filter(view -> view.eligible() || view.state() == WorkerState.DRAINING)
                .map(WorkerView::incarnation)
                .anyMatch(worker::equals);
    }

    @Override
    public void start() {
        thread = Thread.ofVirtual().name("worker-watch").start(this::run);
    }

    @Override
    public void stop() {
        thread.interrupt();
    }

    @Override
    public boolean isRunning() {
        return thread.isAlive();
    }

    private void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                look();
                Thread.sleep(INTERVAL);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                log.error("Waiting requests could not be looked after; trying again", e);
            }
        }
    }
}
