package io.eldr.router.gateway;

import io.eldr.core.load.Outcome;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.router.engine.PrefillAnswer;
import io.eldr.router.engine.PromptSignature;
import io.eldr.router.intent.WorkerIntent;
import io.eldr.router.route.Placements;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * The way of a request: a prefill worker reads the prompt; its answer says which experts the prompt used and where its
 * state lies; a decode worker chosen by them fetches that state and streams the answer.
 *
 * <p>What failed is tried again only where nothing can be garbled by it: the state of a prompt is for one decode worker and
 * one time, so once a decode worker may have seen the request, it begins anew with another prefill and another id. Nothing
 * is begun anew after the client got a byte.
 */
@Component
final class Handoff {
    private static final Logger log = LoggerFactory.getLogger(Handoff.class);

    private final PrefillChoice prefillers;
    private final EngineClient engines;
    private final EngineHeaders headers;
    private final HeldStates states;
    private final DecodeStep decode;
    private final Placements placements;
    private final ClientAnswer answers;
    private final WorkerWatch watch;
    private final GatewayMetrics metrics;
    private final int attempts;
    private final Duration retryWithin;
    private final Duration prefillTimeout;

    Handoff(
            PrefillChoice prefillers,
            EngineClient engines,
            EngineHeaders headers,
            HeldStates states,
            DecodeStep decode,
            Placements placements,
            ClientAnswer answers,
            WorkerWatch watch,
            GatewayMetrics metrics,
            GatewayProperties properties) {
        this.prefillers = prefillers;
        this.engines = engines;
        this.headers = headers;
        this.states = states;
        this.decode = decode;
        this.placements = placements;
        this.answers = answers;
        this.watch = watch;
        this.metrics = metrics;
        this.attempts = properties.attempts();
        this.retryWithin = properties.retryWithin();
        this.prefillTimeout = properties.prefillTimeout();
    }

    /** Serves a request to its end; a failure that the client can still be told of is a {@link GatewayException}. */
    Mono<Void> serve(Job job) {
        return Mono.defer(() -> attempt(job));
    }

    private Mono<Void> attempt(Job job) {
        PrefillChoice.Chosen chosen = prefillers
                .choose(job.pool(), job.request().prefix(), job.failedPrefillers())
                .orElseThrow(() -> new GatewayException(
                        GatewayException.Kind.NO_PREFILLER, "No prefill worker of the pool is READY."));
        String id = job.nextId();
        return prefill(job, chosen, id)
                // Whatever was not said of it by then: the client left.
                .doFinally(signal -> prefillers.ended(chosen, Outcome.ABORTED))
                .flatMap(step -> switch (step) {
                    case Answered(EngineClient.Whole answer) -> answered(job, chosen, id, answer);
                    case Failed(RuntimeException why) -> failed(job, chosen, why);
                });
    }

    private sealed interface Step {}

    private record Answered(EngineClient.Whole answer) implements Step {}

    private record Failed(RuntimeException why) implements Step {}

    private Mono<Step> prefill(Job job, PrefillChoice.Chosen chosen, String id) {
        WorkerIntent worker = chosen.worker();
        long start = System.nanoTime();
        Mono<EngineClient.Whole> answer = engines.exchange(
                EngineClient.url(worker.url(), job.request().api().path()),
                headers.of(job, id),
                job.dialect().forPrefill(job.body(), id));
        return Mono.firstWithSignal(
                        answer, watch.<EngineClient.Whole>lost(job.pool().name(), chosen.incarnation(), prefillTimeout))
                .doOnTerminate(
                        () -> metrics.stage(job.pool().name(), GatewayMetrics.Stage.PREFILL, System.nanoTime() - start))
                .<Step>map(Answered::new)
                .onErrorResume(RuntimeException.class, why -> Mono.just(new Failed(why)));
    }

    /** The prefill worker did not answer, or not to the end. It keeps nothing that could be used, so another one is asked. */
    private Mono<Void> failed(Job job, PrefillChoice.Chosen chosen, RuntimeException why) {
        if (why instanceof GatewayException) {
            prefillers.ended(chosen, Outcome.TIMEOUT);
            return Mono.error(why);
        }
        if (why instanceof EngineClient.BrokenException broken && broken.wasIdle() && job.forgive()) {
            // The engine had closed the connection meanwhile, which is no fault of it.
            prefillers.ended(chosen, Outcome.ABORTED);
        } else {
            blame(job, chosen, String.valueOf(why.getMessage()));
        }
        return again(
                job,
                why instanceof EngineClient.NotReachedException
                        ? GatewayMetrics.Retry.PREFILL_NOT_REACHED
                        : GatewayMetrics.Retry.PREFILL_BROKEN,
                new GatewayException(GatewayException.Kind.PREFILL_FAILED, "The prefill worker did not answer."));
    }

    private Mono<Void> answered(Job job, PrefillChoice.Chosen chosen, String id, EngineClient.Whole answer) {
        if (answer.status() >= 300) {
            return refused(job, chosen, answer);
        }
        PrefillAnswer prefilled;
        try {
            prefilled = job.dialect()
                    .read(answer.body(), job.pool().state().intent().model().geometry());
        } catch (InvalidInputException unreadable) {
            return unusable(
                    job, chosen, GatewayException.Kind.PREFILL_FAILED, unreadable.field() + " " + unreadable.reason());
        }
        return switch (prefilled) {
            case PrefillAnswer.NothingKept _ ->
                unusable(job, chosen, GatewayException.Kind.NO_TRANSFER, "it has no kv_transfer_params");
            case PrefillAnswer.Finished(var transfer) -> {
                prefillers.ended(chosen, Outcome.COMPLETED);
                transfer.ifPresent(state -> states.held(job, id, state).letGo());
                yield answers.finishedByPrefill(job, answer);
            }
            case PrefillAnswer.HandedOver state -> {
                prefillers.ended(chosen, Outcome.COMPLETED);
                count(job, chosen, state.signature());
                yield decode(new DecodeStep.Handover(
                        job, id, state, states.held(job, id, state.transfer()), System.nanoTime()));
            }
        };
    }

    private void count(Job job, PrefillChoice.Chosen chosen, PromptSignature signature) {
        metrics.signature(job.pool().name(), signature);
        if (signature instanceof PromptSignature.Bad(String form, String why)) {
            log.info(
                    "Prefill worker {} of pool {} sent a bad {}: {}",
                    chosen.worker().slot(),
                    job.pool().name(),
                    form,
                    why);
        }
    }

    private Mono<Void> unusable(Job job, PrefillChoice.Chosen chosen, GatewayException.Kind kind, String what) {
        blame(job, chosen, "its answer cannot be handed on: " + what);
        return again(
                job,
                GatewayMetrics.Retry.PREFILL_REFUSED,
                new GatewayException(
                        kind,
                        "The prefill worker's answer cannot be handed to a decode worker, for which it may not be set up: "
                                + what + "."));
    }

    private Mono<Void> refused(Job job, PrefillChoice.Chosen chosen, EngineClient.Whole answer) {
        if (OpenAiErrors.blamesTheClient(answer.status(), answer.body())) {
            prefillers.ended(chosen, Outcome.CLIENT_ERROR);
            return answers.passWhole(job, answer, GatewayMetrics.End.CLIENT_ERROR);
        }
        blame(job, chosen, "answered " + answer.status());
        return mayPrefillAgain(job)
                ? anew(job, GatewayMetrics.Retry.PREFILL_REFUSED)
                : answers.passWhole(job, answer, GatewayMetrics.End.ENGINE_ERROR);
    }

    private void blame(Job job, PrefillChoice.Chosen chosen, String what) {
        String slot = chosen.worker().slot();
        log.info("Prefill worker {} of pool {} failed: {}", slot, job.pool().name(), what);
        prefillers.ended(chosen, Outcome.DECODER_FAILED);
        job.failedPrefillers().add(slot);
    }

    private Mono<Void> decode(DecodeStep.Handover handover) {
        return Mono.defer(() -> {
                    Placements.Placed placed = decode.place(handover);
                    Mono<DecodeStep.Decoded> decoded = decode.send(handover, placed);
                    Mono<Void> answer = handover.state()
                            .first()
                            .filter(token -> handover.job().request().stream())
                            .map(token -> answers.stream(handover, placed, token, decoded))
                            .orElseGet(() -> decoded.flatMap(what -> decoded(handover, what)));
                    // Where it was not even sent, nobody else closes it.
                    return answer.doFinally(signal -> placements.close(placed.reservation(), Outcome.ABORTED));
                })
                .doFinally(signal -> handover.held().letGo());
    }

    private Mono<Void> decoded(DecodeStep.Handover handover, DecodeStep.Decoded decoded) {
        Job job = handover.job();
        return switch (decoded) {
            case DecodeStep.Answering answering ->
                answers.stream(handover, answering)
                        .onErrorResume(
                                EngineClient.BrokenException.class,
                                why -> job.exchange().getResponse().isCommitted()
                                        ? Mono.error(why)
                                        : decoded(handover, decode.broken(handover, answering.placed(), why)));
            case DecodeStep.Refused(EngineClient.Whole answer) ->
                answers.passWhole(job, answer, GatewayMetrics.End.CLIENT_ERROR);
            case DecodeStep.Spent(GatewayMetrics.Retry cause, var answer) -> {
                if (mayBeginAnew(job) && decode.hasOther(job)) {
                    yield anew(job, cause);
                }
                yield answer.map(told -> answers.passWhole(job, told, GatewayMetrics.End.ENGINE_ERROR))
                        .orElseGet(() -> Mono.error(DecodeStep.decodeFailed()));
            }
        };
    }

    private Mono<Void> again(Job job, GatewayMetrics.Retry cause, GatewayException otherwise) {
        return mayPrefillAgain(job) ? anew(job, cause) : Mono.error(otherwise);
    }

    private Mono<Void> anew(Job job, GatewayMetrics.Retry cause) {
        metrics.retried(job.pool().name(), cause);
        return attempt(job);
    }

    private boolean mayPrefillAgain(Job job) {
        return mayBeginAnew(job) && prefillers.hasOther(job.pool(), job.failedPrefillers());
    }

    private boolean mayBeginAnew(Job job) {
        return job.attempt() < attempts && System.nanoTime() - job.startedAt() < retryWithin.toNanos();
    }
}
