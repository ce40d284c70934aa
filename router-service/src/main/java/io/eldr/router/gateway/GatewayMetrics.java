package io.eldr.router.gateway;

import io.eldr.router.engine.PromptSignature;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Component;

/** What is measured of requests that go through the gateway. Labels: pools that exist, and the closed sets below. */
@Component
final class GatewayMetrics {
    private final MeterRegistry registry;
    private final AtomicInteger active = new AtomicInteger();

    GatewayMetrics(MeterRegistry registry) {
        this.registry = registry;
        registry.gauge("eldr.gateway.active", active);
    }

    /** How a request ended; each ends in exactly one way. */
    enum End {
        COMPLETED,
        CLIENT_ERROR,
        ENGINE_ERROR,
        GATEWAY_ERROR,
        /** The client left. */
        ABORTED,
        /** The engine broke off in the middle of its answer. */
        BROKEN_OFF;

        private String label() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }

    /** The parts of a request's time. */
    enum Stage {
        PREFILL,
        /** From the prefill worker's answer to the request for the decode worker. */
        HANDOFF,
        /** From there to the head of the decode worker's answer. */
        FIRST_BYTE,
        TOTAL
    }

    /** Why a worker was tried after another one. */
    enum Retry {
        PREFILL_NOT_REACHED,
        PREFILL_BROKEN,
        PREFILL_REFUSED,
        DECODE_NOT_REACHED,
        DECODE_BROKEN,
        DECODE_REFUSED
    }

    void began() {
        active.incrementAndGet();
    }

    void ended(String pool, End end, long nanos) {
        active.decrementAndGet();
        registry.counter("eldr.gateway.requests", "pool", pool, "end", end.label())
                .increment();
        stage(pool, Stage.TOTAL, nanos);
    }

    int active() {
        return active.get();
    }

    void stage(String pool, Stage stage, long nanos) {
        Timer.builder("eldr.gateway.stage")
                .tags("pool", pool, "stage", label(stage))
                .publishPercentileHistogram()
                .register(registry)
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    void retried(String pool, Retry cause) {
        registry.counter("eldr.gateway.retries", "pool", pool, "cause", label(cause))
                .increment();
    }

    /** What a prefill worker said of its prompt's experts. */
    void signature(String pool, PromptSignature signature) {
        String state = switch (signature) {
            case PromptSignature.Read _ -> "read";
            case PromptSignature.Missing _ -> "missing";
            case PromptSignature.Bad _ -> "bad";
        };
        registry.counter("eldr.gateway.signatures", "pool", pool, "state", state)
                .increment();
    }

    /** A prefill worker holds a prompt's state that no decode worker will fetch, until its lease ends. */
    void abandoned(String pool) {
        registry.counter("eldr.gateway.kv.abandoned", "pool", pool).increment();
    }

    /** A prompt's state that no decode worker will fetch was given free. */
    void released(String pool) {
        registry.counter("eldr.gateway.kv.released", "pool", pool).increment();
    }

    private static String label(Enum<?> value) {
        return value.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
