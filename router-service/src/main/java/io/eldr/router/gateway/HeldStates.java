package io.eldr.router.gateway;

import io.eldr.router.engine.JsonMembers;
import io.eldr.router.pool.WorkerView;
import io.eldr.router.worker.WorkerState;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The states of prompts that prefill workers keep for decode workers, and what becomes of those that nobody fetches. */
@Component
final class HeldStates {
    private static final Logger log = LoggerFactory.getLogger(HeldStates.class);
    private static final String RELEASE = "/v1/kv_transfer/release";
    private static final int TRIES = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final EngineClient engines;
    private final EngineHeaders headers;
    private final GatewayMetrics metrics;

    HeldStates(EngineClient engines, EngineHeaders headers, GatewayMetrics metrics) {
        this.engines = engines;
        this.headers = headers;
        this.metrics = metrics;
    }

    /** A prompt's state from its prefill on: a decode worker fetches it, or it is let go of, whatever comes first. */
    final class Held {
        private final Job job;
        private final String id;
        private final JsonMembers transfer;
        private final AtomicBoolean settled = new AtomicBoolean();

        private Held(Job job, String id, JsonMembers transfer) {
            this.job = job;
            this.id = id;
            this.transfer = transfer;
        }

        /** A decode worker may have begun to fetch it; from then on it is the engines' affair. */
        void fetched() {
            settled.set(true);
        }

        /** Nobody will fetch it. Does nothing once somebody may. */
        void letGo() {
            if (settled.compareAndSet(false, true)) {
                abandon(this);
            }
        }
    }

    /** @param id by which the prefill worker knows it */
    Held held(Job job, String id, JsonMembers transfer) {
        return new Held(job, id, transfer);
    }

    /** On its own: whoever gave up may be gone, and a release that is cut off with it would never arrive. */
    private void abandon(Held held) {
        String pool = held.job.pool().name();
        if (!held.job.dialect().givesFree()) {
            metrics.abandoned(pool);
            return;
        }
        Iterator<WorkerView> decoders = held.job.pool().state().decoders().stream()
                .filter(view -> view.state() == WorkerState.READY || view.state() == WorkerState.DRAINING)
                .limit(TRIES)
                .iterator();
        release(held, decoders)
                .subscribe(
                        nothing -> {},
                        failure -> {
                            log.warn(
                                    "The state of a prompt of pool {} stays until its lease ends: {}",
                                    pool,
                                    failure.getMessage());
                            metrics.abandoned(pool);
                        },
                        () -> metrics.released(pool));
    }

    private Mono<Void> release(Held held, Iterator<WorkerView> decoders) {
        if (!decoders.hasNext()) {
            return Mono.error(new IllegalStateException("no decode worker could be asked to release it"));
        }
        String url = EngineClient.url(decoders.next().worker().url(), RELEASE);
        return engines.exchange(
                        url,
                        headers.of(held.job, held.id),
                        held.transfer.splice().toBytes())
                .timeout(PATIENCE)
                .flatMap(answer -> answer.status() < 300
                        ? Mono.<Void>empty()
                        : Mono.error(new IllegalStateException("a decode worker answered " + answer.status())))
                .onErrorResume(failure -> decoders.hasNext() ? release(held, decoders) : Mono.error(failure));
    }
}
