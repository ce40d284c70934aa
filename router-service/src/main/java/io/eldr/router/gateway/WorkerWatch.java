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
import java.util.function.Consumer;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Tells requests that wait for a worker's first byte that the worker is gone or no longer healthy, so that none of them
 * waits for the end of its patience, or that this has ended. One thread looks after all of them: a timer for each request
 * would cost more than all that is decided for it.
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
        private final long since = System.nanoTime();
        private final Duration patience;
        private final Consumer<RuntimeException> lost;

        Waiting(String pool, Incarnation worker, Duration patience, Consumer<RuntimeException> lost) {
            this.pool = pool;
            this.worker = worker;
            this.patience = patience;
            this.lost = lost;
        }

        boolean isOver() {
            return System.nanoTime() - since >= patience.toNanos();
        }
    }

    /**
     * Never yields anything; fails once the worker can no longer be expected to answer.
     *
     * @param patience after which it fails as {@link GatewayException.Kind#ENGINE_TIMEOUT}
     */
    <T> Mono<T> lost(String pool, Incarnation worker, Duration patience) {
        return Mono.create(sink -> watch(pool, worker, patience, sink));
    }

    private <T> void watch(String pool, Incarnation worker, Duration patience, MonoSink<T> sink) {
        Waiting entry = new Waiting(pool, worker, patience, sink::error);
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
            // Whoever is told no longer waits, by which the entry goes.
            if (!there) {
                entry.lost.accept(
                        new EngineClient.BrokenException(new IllegalStateException(entry.worker.slot() + " is gone")));
            } else if (entry.isOver()) {
                entry.lost.accept(new GatewayException(
                        GatewayException.Kind.ENGINE_TIMEOUT, "The engine did not begin its answer in time."));
            }
        }
    }

    private static boolean serves(ServedState state, Incarnation worker) {
        return Stream.concat(state.prefillers().stream(), state.decoders().stream())
                .filter(view -> view.eligible() || view.state() == WorkerState.DRAINING)
                .map(WorkerView::incarnation)
                .anyMatch(worker::equals);
    }
}
