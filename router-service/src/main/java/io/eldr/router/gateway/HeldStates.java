package io.eldr.router.gateway;

import io.eldr.router.engine.JsonMembers;
import io.eldr.router.pool.WorkerView;
import io.eldr.router.tracing.RequestTrace;
import io.eldr.router.worker.WorkerState;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** The states of prompts that prefill workers keep for decode workers, and what becomes of those that nobody fetches. */
@Component
@SuppressWarnings("FutureReturnValueIgnored") // The timer only ever cancels.
final class HeldStates {
    private static final Logger log = LoggerFactory.getLogger(HeldStates.class);
    private static final String RELEASE = "/v1/kv_transfer/release";
    private static final int TRIES = 3;
    private static final int MOST_ANSWER = 1 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final EngineHeaders headers;
    private final GatewayMetrics metrics;

    HeldStates(EngineHeaders headers, GatewayMetrics metrics) {
        this.headers = headers;
        this.metrics = metrics;
    }

    /** A prompt's state from its prefill on: a decode worker fetches it, or it is let go of, whatever comes first. */
    final class Held {
        private final Job job;
        private final String id;
        private final JsonMembers transfer;
        private boolean settled;

        private Held(Job job, String id, JsonMembers transfer) {
            this.job = job;
            this.id = id;
            this.transfer = transfer;
        }

        /** A decode worker may have begun to fetch it; from then on it is the engines' affair. */
        void fetched() {
            settled = true;
        }

        /** Nobody will fetch it. Does nothing once somebody may. */
        void letGo() {
            if (!settled) {
                settled = true;
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
        release(held, decoders);
    }

    private void release(Held held, Iterator<WorkerView> decoders) {
        String pool = held.job.pool().name();
        if (!decoders.hasNext()) {
            log.warn("The state of a prompt of pool {} stays until its lease ends: no decode worker released it", pool);
            metrics.abandoned(pool);
            return;
        }
        String url = EngineClient.url(decoders.next().worker().url(), RELEASE);
        EngineConnections engines = held.job.exchange().engines();
        EngineCall call = new EngineCall(
                url,
                headers.of(held.job, held.id),
                held.transfer.splice().toBytes(),
                RequestTrace.NONE.prefill(url),
                new WholeListener(
                        MOST_ANSWER,
                        answer -> {
                            if (answer.status() < 300) {
                                metrics.released(pool);
                            } else {
                                release(held, decoders);
                            }
                        },
                        failure -> release(held, decoders)));
        engines.send(call);
        engines.loop()
                .schedule(
                        () -> {
                            if (!call.isOver()) {
                                call.cancel();
                                release(held, decoders);
                            }
                        },
                        PATIENCE.toMillis(),
                        TimeUnit.MILLISECONDS);
    }
}
