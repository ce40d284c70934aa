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
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Tells requests that wait for a worker's first byte that the worker is gone or no longer healthy, so that none of them
 * waits for the end of a time limit. One thread looks after all of them.
 */
final class WorkerWatch {
    static final Duration INTERVAL = Duration.ofMillis(250);

    private final Pools pools;
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();

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

    /** Looks at all of them once. Called by one thread at a time. */
    void look() {
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
                .filter(view -> view.state() == WorkerState.READY || view.state() == WorkerState.DRAINING)
                .map(WorkerView::incarnation)
                .anyMatch(worker::equals);
    }
}
