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
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The second half of a request's way: the decoder is chosen and reserved, and its answer goes to the client. */
@Component
final class DecodeStep {
    private static final Logger log = LoggerFactory.getLogger(DecodeStep.class);

    private final Placements placements;
    private final EngineClient engines;
    private final EngineHeaders headers;
    private final ClientAnswer answers;
    private final WorkerWatch watch;
    private final GatewayMetrics metrics;
    private final int attempts;
    private final Duration firstByteTimeout;
    private final Duration handoffDeadline;

    DecodeStep(
            Placements placements,
            EngineClient engines,
            EngineHeaders headers,
            ClientAnswer answers,
            WorkerWatch watch,
            GatewayMetrics metrics,
            GatewayProperties properties) {
        this.placements = placements;
        this.engines = engines;
        this.headers = headers;
        this.answers = answers;
        this.watch = watch;
        this.metrics = metrics;
        this.attempts = properties.attempts();
        this.firstByteTimeout = properties.firstByteTimeout();
        this.handoffDeadline = properties.handoffDeadline();
    }

    /** @param anew begins the request again with another prefill */
    Mono<Void> run(Job job, String id, PrefillAnswer prefilled, Supplier<Mono<Void>> anew) {
        return new Run(job, id, prefilled, anew, System.nanoTime()).dispatch();
    }

    private sealed interface Step {}

    private record Answering(EngineClient.Streaming answer) implements Step {}

    private record Failed(RuntimeException why) implements Step {}

    /** One prompt's state on its way to a decode worker. */
    private final class Run {
        private final Job job;
        private final String id;
        private final PrefillAnswer prefilled;
        private final Supplier<Mono<Void>> anew;
        private final long prefilledAt;

        Run(Job job, String id, PrefillAnswer prefilled, Supplier<Mono<Void>> anew, long prefilledAt) {
            this.job = job;
            this.id = id;
            this.prefilled = prefilled;
            this.anew = anew;
            this.prefilledAt = prefilledAt;
        }

        Mono<Void> dispatch() {
            Optional<ExpertCounts> counts = prefilled.signature() instanceof PromptSignature.Read(var read, var form)
                    ? Optional.of(read)
                    : Optional.empty();
            Placements.Result placed = RequestTrace.of(job.exchange())
                    .decide(
                            id,
                            () -> placements.place(
                                    job.pool(), id, prefilled.promptTokens().orElse(1), counts, job.failedDecoders()));
            return switch (placed) {
                case Placements.NotPlaced(Decision.Unplaced why) -> notPlaced(why);
                case Placements.Placed taken -> decode(taken);
            };
        }

        private Mono<Void> notPlaced(Decision.Unplaced why) {
            metrics.abandoned(job.pool().name());
            return Mono.error(
                    switch (why) {
                        case Decision.NoneEligible _
                        when !job.failedDecoders().isEmpty() ->
                            new GatewayException(
                                    GatewayException.Kind.DECODE_FAILED,
                                    "Every decode worker that could be tried failed.");
                        case Decision.NoneEligible _ ->
                            new GatewayException(
                                    GatewayException.Kind.NO_DECODER, "No decode worker of the pool is READY.");
                        case Decision.AllAtCapacity _ ->
                            new GatewayException(
                                    GatewayException.Kind.SATURATED,
                                    "Every decode worker has its most requests in flight.");
                    });
        }

        private Mono<Void> decode(Placements.Placed placed) {
            Decoder decoder = placed.decision().decoder();
            byte[] body = job.request().forDecode(prefilled.transfer().orElseThrow());
            long dispatched = System.nanoTime();
            metrics.stage(job.pool().name(), GatewayMetrics.Stage.HANDOFF, dispatched - prefilledAt);
            Mono<EngineClient.Streaming> answer = engines.stream(
                            Handoff.url(decoder.url(), job), headers.of(job, id), body)
                    .timeout(
                            firstByteTimeout,
                            Mono.error(() -> new GatewayException(
                                    GatewayException.Kind.ENGINE_TIMEOUT,
                                    "The decode worker did not begin its answer in time.")));
            return Mono.firstWithSignal(
                            answer,
                            watch.<EngineClient.Streaming>lost(job.pool().name(), decoder.incarnation()))
                    .doOnCancel(() -> placements.close(placed.reservation(), Outcome.ABORTED))
                    .doOnDiscard(EngineClient.Streaming.class, EngineClient.Streaming::discard)
                    .<Step>map(Answering::new)
                    .onErrorResume(RuntimeException.class, why -> Mono.just(new Failed(why)))
                    .flatMap(step -> switch (step) {
                        case Answering(EngineClient.Streaming streaming) -> {
                            metrics.stage(
                                    job.pool().name(), GatewayMetrics.Stage.FIRST_BYTE, System.nanoTime() - dispatched);
                            yield answering(placed, streaming);
                        }
                        case Failed(RuntimeException why) -> failed(placed, why);
                    });
        }

        private Mono<Void> answering(Placements.Placed placed, EngineClient.Streaming streaming) {
            if (streaming.status() < 500) {
                return answers.stream(job, id, placed, streaming);
            }
            return answers.whole(streaming)
                    .flatMap(answer -> {
                        if (OpenAiErrors.blamesTheClient(answer.status(), answer.body())) {
                            placements.close(placed.reservation(), Outcome.CLIENT_ERROR);
                            return answers.passWhole(job, answer, GatewayMetrics.End.CLIENT_ERROR);
                        }
                        blame(placed, "answered " + answer.status());
                        return job.attempt() < attempts
                                ? again(GatewayMetrics.Retry.DECODE_REFUSED)
                                : answers.passWhole(job, answer, GatewayMetrics.End.ENGINE_ERROR);
                    })
                    .doOnCancel(() -> placements.close(placed.reservation(), Outcome.ABORTED))
                    .onErrorResume(EngineClient.BrokenException.class, why -> failed(placed, why));
        }

        private Mono<Void> failed(Placements.Placed placed, RuntimeException why) {
            if (why instanceof GatewayException) {
                placements.close(placed.reservation(), Outcome.TIMEOUT);
                return Mono.error(why);
            }
            blame(placed, String.valueOf(why.getMessage()));
            if (why instanceof EngineClient.NotReachedException) {
                // The state was not touched: another decoder may fetch it, as long as its lease surely runs.
                if (System.nanoTime() - prefilledAt < handoffDeadline.toNanos()) {
                    metrics.retried(job.pool().name(), GatewayMetrics.Retry.DECODE_NOT_REACHED);
                    return dispatch();
                }
                metrics.abandoned(job.pool().name());
                return Mono.error(new GatewayException(
                        GatewayException.Kind.HANDOFF_TIMEOUT, "No decode worker took the request over in time."));
            }
            return job.attempt() < attempts
                    ? again(GatewayMetrics.Retry.DECODE_BROKEN)
                    : Mono.error(new GatewayException(
                            GatewayException.Kind.DECODE_FAILED, "The decode worker broke off before its answer."));
        }

        private void blame(Placements.Placed placed, String what) {
            String slot = placed.decision().decoder().id();
            log.info("Decode worker {} of pool {} failed: {}", slot, job.pool().name(), what);
            placements.close(placed.reservation(), Outcome.DECODER_FAILED);
            job.failedDecoders().add(slot);
        }

        private Mono<Void> again(GatewayMetrics.Retry cause) {
            metrics.retried(job.pool().name(), cause);
            return anew.get();
        }
    }
}
