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
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Stream;

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
    final class Waiting {
        private final String pool;
        private final Incarnation worker;
        private final long since = System.nanoTime();
        private final Duration patience;
        private final Executor thread;
        private final Consumer<RuntimeException> lost;

        private Waiting(
                String pool, Incarnation worker, Duration patience, Executor thread, Consumer<RuntimeException> lost) {
            this.pool = pool;
            this.worker = worker;
            this.patience = patience;
            this.thread = thread;
            this.lost = lost;
        }

        private boolean isOver() {
            return System.nanoTime() - since >= patience.toNanos();
        }

        /** It need not be told any more, though it may be once. */
        void stop() {
            waiting.remove(this);
        }

        private void tell(RuntimeException why) {
            stop();
            thread.execute(() -> lost.accept(why));
        }
    }

    /**
     * Tells once that the worker can no longer be expected to answer.
     *
     * @param patience after which it tells {@link GatewayException.Kind#ENGINE_TIMEOUT}
     * @param thread on which it tells
     */
    Waiting begin(
            String pool, Incarnation worker, Duration patience, Executor thread, Consumer<RuntimeException> lost) {
        Waiting entry = new Waiting(pool, worker, patience, thread, lost);
        waiting.add(entry);
        return entry;
    }

    /** Looks at all of them once. Called by one thread at a time. */
    void look() {
        for (Waiting entry : waiting) {
            boolean there = pools.find(entry.pool)
                    .map(Pool::state)
                    .filter(state -> serves(state, entry.worker))
                    .isPresent();
            if (!there) {
                entry.tell(new EngineClient.BrokenException(entry.worker.slot() + " is gone"));
            } else if (entry.isOver()) {
                entry.tell(new GatewayException(
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
