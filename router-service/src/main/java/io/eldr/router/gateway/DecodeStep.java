package io.eldr.router.gateway;

import io.eldr.core.load.Outcome;
import io.eldr.core.routing.Decision;
import io.eldr.core.routing.Decoder;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.router.engine.PrefillAnswer;
import io.eldr.router.engine.PromptSignature;
import io.eldr.router.route.Placements;
import io.eldr.router.tracing.RequestTrace;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The second half of a request's way: a decoder is chosen and reserved, and asked until it begins its answer. */
@Component
final class DecodeStep {
    private static final Logger log = LoggerFactory.getLogger(DecodeStep.class);

    private final Placements placements;
    private final EngineClient engines;
    private final EngineHeaders headers;
    private final WorkerWatch watch;
    private final GatewayMetrics metrics;
    private final Duration firstByteTimeout;
    private final Duration handoffDeadline;

    DecodeStep(
            Placements placements,
            EngineClient engines,
            EngineHeaders headers,
            WorkerWatch watch,
            GatewayMetrics metrics,
            GatewayProperties properties) {
        this.placements = placements;
        this.engines = engines;
        this.headers = headers;
        this.watch = watch;
        this.metrics = metrics;
        this.firstByteTimeout = properties.firstByteTimeout();
        this.handoffDeadline = properties.handoffDeadline();
    }

    /**
     * A prompt's state that waits for a decode worker.
     *
     * @param id of the attempt, at prefill and decode worker alike
     * @param prefilledAt when the prefill worker had answered, in nanoseconds
     */
    record Handover(Job job, String id, PrefillAnswer.HandedOver state, HeldStates.Held held, long prefilledAt) {}

    /** What became of it. Whoever gets this closes the reservation where there is one. */
    sealed interface Decoded {}

    /** A decode worker answers; its bytes are coming. */
    record Answering(Placements.Placed placed, EngineClient.Streaming answer) implements Decoded {}

    /** It answered with an error that the client is to see. */
    record Refused(EngineClient.Whole answer) implements Decoded {}

    /**
     * The state is used up: only another prefill can help.
     *
     * @param answer what the decode worker said, if anything
     */
    record Spent(GatewayMetrics.Retry cause, Optional<EngineClient.Whole> answer) implements Decoded {}

    /**
     * Chooses a decoder and reserves a unit of its load.
     *
     * @throws GatewayException if there is none
     */
    Placements.Placed place(Handover handover) {
        Job job = handover.job();
        Optional<ExpertCounts> counts = handover.state().signature() instanceof PromptSignature.Read(var read, var form)
                ? Optional.of(read)
                : Optional.empty();
        int promptTokens = handover.state().promptTokens().orElse(1);
        Placements.Result result = RequestTrace.of(job.exchange())
                .decide(
                        handover.id(),
                        () -> placements.place(job.pool(), handover.id(), promptTokens, counts, job.failedDecoders()));
        return switch (result) {
            case Placements.NotPlaced(Decision.Unplaced why) -> throw notPlaced(job, why);
            case Placements.Placed placed -> placed;
        };
    }

    private static GatewayException notPlaced(Job job, Decision.Unplaced why) {
        return switch (why) {
            case Decision.NoneEligible _ when !job.failedDecoders().isEmpty() -> decodeFailed();
            case Decision.NoneEligible _ ->
                new GatewayException(GatewayException.Kind.NO_DECODER, "No decode worker of the pool is READY.");
            case Decision.AllAtCapacity _ ->
                new GatewayException(
                        GatewayException.Kind.SATURATED, "Every decode worker has its most requests in flight.");
        };
    }

    /** Whether a decoder is left that did not fail the request. */
    boolean hasOther(Job job) {
        return job.pool().state().forDecisions().snapshot().decoders().stream()
                .anyMatch(decoder -> !job.failedDecoders().contains(decoder.id()));
    }

    static GatewayException decodeFailed() {
        return new GatewayException(
                GatewayException.Kind.DECODE_FAILED, "Every decode worker that could be tried failed.");
    }

    /** Sends the client's body to a decoder, or to another where it is not reached; fails with {@link GatewayException}. */
    Mono<Decoded> send(Handover handover, Placements.Placed placed) {
        Job job = handover.job();
        Decoder decoder = placed.decision().decoder();
        byte[] body = job.dialect().forDecode(job.body(), handover.state());
        long dispatched = System.nanoTime();
        metrics.stage(job.pool().name(), GatewayMetrics.Stage.HANDOFF, dispatched - handover.prefilledAt());
        Mono<EngineClient.Streaming> answer = engines.stream(
                EngineClient.url(decoder.url(), job.request().api().path()),
                headers.of(job, handover.id()),
                body,
                handover.held()::fetched);
        return Mono.firstWithSignal(
                        answer,
                        watch.<EngineClient.Streaming>lost(job.pool().name(), decoder.incarnation(), firstByteTimeout))
                .doOnCancel(() -> placements.close(placed.reservation(), Outcome.ABORTED))
                .doOnDiscard(EngineClient.Streaming.class, EngineClient.Streaming::discard)
                .<Decoded>flatMap(streaming -> {
                    metrics.stage(job.pool().name(), GatewayMetrics.Stage.FIRST_BYTE, System.nanoTime() - dispatched);
                    return answering(handover, placed, streaming);
                })
                .onErrorResume(RuntimeException.class, why -> failed(handover, placed, why));
    }

    private Mono<Decoded> answering(Handover handover, Placements.Placed placed, EngineClient.Streaming streaming) {
        if (streaming.status() < 400) {
            return Mono.just(new Answering(placed, streaming));
        }
        return streaming
                .whole()
                .<Decoded>map(answer -> {
                    if (OpenAiErrors.blamesTheClient(answer.status(), answer.body())) {
                        placements.close(placed.reservation(), Outcome.CLIENT_ERROR);
                        return new Refused(answer);
                    }
                    blame(handover.job(), placed, "answered " + answer.status());
                    return new Spent(GatewayMetrics.Retry.DECODE_REFUSED, Optional.of(answer));
                })
                .doOnCancel(() -> placements.close(placed.reservation(), Outcome.ABORTED));
    }

    private Mono<Decoded> failed(Handover handover, Placements.Placed placed, RuntimeException why) {
        Job job = handover.job();
        if (why instanceof GatewayException) {
            placements.close(placed.reservation(), Outcome.TIMEOUT);
            return Mono.error(why);
        }
        if (why instanceof EngineClient.BrokenException broken && broken.wasIdle() && job.forgive()) {
            // The engine had closed the connection meanwhile. That is no fault, but it may have seen the request.
            placements.close(placed.reservation(), Outcome.ABORTED);
            return Mono.just(new Spent(GatewayMetrics.Retry.DECODE_BROKEN, Optional.empty()));
        }
        blame(job, placed, String.valueOf(why.getMessage()));
        if (!(why instanceof EngineClient.NotReachedException)) {
            return Mono.just(new Spent(GatewayMetrics.Retry.DECODE_BROKEN, Optional.empty()));
        }
        // The state was not touched: another decoder may fetch it, as long as its lease surely runs.
        if (System.nanoTime() - handover.prefilledAt() >= handoffDeadline.toNanos()) {
            return Mono.error(new GatewayException(
                    GatewayException.Kind.HANDOFF_TIMEOUT, "No decode worker took the request over in time."));
        }
        metrics.retried(job.pool().name(), GatewayMetrics.Retry.DECODE_NOT_REACHED);
        return Mono.defer(() -> send(handover, place(handover)));
    }

    /** A decode worker began its answer and broke off before the client got anything of it. */
    Decoded broken(Handover handover, Placements.Placed placed, EngineClient.BrokenException why) {
        blame(handover.job(), placed, String.valueOf(why.getMessage()));
        return new Spent(GatewayMetrics.Retry.DECODE_BROKEN, Optional.empty());
    }

    private void blame(Job job, Placements.Placed placed, String what) {
        String slot = placed.decision().decoder().id();
        log.info("Decode worker {} of pool {} failed: {}", slot, job.pool().name(), what);
        placements.close(placed.reservation(), Outcome.DECODER_FAILED);
        job.failedDecoders().add(slot);
    }
}
