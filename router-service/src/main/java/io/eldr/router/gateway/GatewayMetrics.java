package io.eldr.router.gateway;

import io.eldr.router.engine.PromptSignature;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Component;

/** What is measured of requests that go through the gateway. Labels: pools that exist, and the closed sets below. */
@Component
final class GatewayMetrics {
    private final MeterRegistry registry;
    private final AtomicInteger active = new AtomicInteger();
    /** A registry's own look-up builds a meter's whole name each time, and there are five of them in a request. */
    private final Map<Label, Counter> counters = new ConcurrentHashMap<>();

    private final Map<StageOf, Timer> timers = new ConcurrentHashMap<>();

    GatewayMetrics(MeterRegistry registry) {
        this.registry = registry;
        Gauge.builder("eldr.gateway.active", active, AtomicInteger::get)
                .description("Requests that are under way through the gateway")
                .register(registry);
    }

    /** A meter whose instances differ by their pool and one tag. */
    private enum Counted {
        REQUESTS("eldr.gateway.requests", "end", "Requests through the gateway by how they ended"),
        RETRIES("eldr.gateway.retries", "cause", "Workers that were tried after another one, by what went wrong there"),
        SIGNATURES(
                "eldr.gateway.signatures",
                "state",
                "Prefill workers' answers by what they said of the prompt's experts");

        private final String meter;
        private final String tag;
        private final String description;

        Counted(String meter, String tag, String description) {
            this.meter = meter;
            this.tag = tag;
            this.description = description;
        }
    }

    private record Label(Counted meter, String pool, String value) {}

    private record StageOf(String pool, Stage stage) {}

    /** How a request ended; each ends in exactly one way. */
    enum End {
        COMPLETED,
        CLIENT_ERROR,
        ENGINE_ERROR,
        GATEWAY_ERROR,
        /** The client left. */
        ABORTED,
        /** The engine broke off in the middle of its answer. */
        BROKEN_OFF
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
        count(Counted.REQUESTS, pool, label(end));
        stage(pool, Stage.TOTAL, nanos);
        active.decrementAndGet();
    }

    int active() {
        return active.get();
    }

    void stage(String pool, Stage stage, long nanos) {
        timers.computeIfAbsent(
                        new StageOf(pool, stage),
                        of -> Timer.builder("eldr.gateway.stage")
                                .description("Time of a request's stages, and of the whole")
                                .tags("pool", of.pool(), "stage", label(of.stage()))
                                .publishPercentileHistogram()
                                .register(registry))
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    void retried(String pool, Retry cause) {
        count(Counted.RETRIES, pool, label(cause));
    }

    /** What a prefill worker said of its prompt's experts. */
    void signature(String pool, PromptSignature signature) {
        String state = switch (signature) {
            case PromptSignature.Read _ -> "read";
            case PromptSignature.Missing _ -> "missing";
            case PromptSignature.Bad _ -> "bad";
        };
        count(Counted.SIGNATURES, pool, state);
    }

    /** A prefill worker holds a prompt's state that no decode worker will fetch, until its lease ends. */
    void abandoned(String pool) {
        Counter.builder("eldr.gateway.kv.abandoned")
                .description("Prompts whose state no decode worker fetched, which stays until its lease ends")
                .tag("pool", pool)
                .register(registry)
                .increment();
    }

    /** A prompt's state that no decode worker will fetch was given free. */
    void released(String pool) {
        Counter.builder("eldr.gateway.kv.released")
                .description("Prompts whose state no decode worker will fetch, and which was given free")
                .tag("pool", pool)
                .register(registry)
                .increment();
    }

    private void count(Counted meter, String pool, String value) {
        counters.computeIfAbsent(
                        new Label(meter, pool, value),
                        label -> Counter.builder(label.meter().meter)
                                .description(label.meter().description)
                                .tags("pool", label.pool(), label.meter().tag, label.value())
                                .register(registry))
                .increment();
    }

    private static String label(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
