package io.eldr.router.gateway;

import io.eldr.core.load.Incarnation;
import io.eldr.core.load.LoadUnit;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.router.engine.PrefillAnswer;
import io.eldr.router.engine.PromptSignature;
import io.eldr.router.intent.WorkerIntent;
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
 * is tried again after the client got a byte.
 */
@Component
final class Handoff {
    private static final Logger log = LoggerFactory.getLogger(Handoff.class);

    private final PrefillChoice prefillers;
    private final EngineClient engines;
    private final EngineHeaders headers;
    private final DecodeStep decode;
    private final ClientAnswer answers;
    private final WorkerWatch watch;
    private final GatewayMetrics metrics;
    private final int attempts;
    private final Duration prefillTimeout;

    Handoff(
            PrefillChoice prefillers,
            EngineClient engines,
            EngineHeaders headers,
            DecodeStep decode,
            ClientAnswer answers,
            WorkerWatch watch,
            GatewayMetrics metrics,
            GatewayProperties properties) {
        this.prefillers = prefillers;
        this.engines = engines;
        this.headers = headers;
        this.decode = decode;
        this.answers = answers;
        this.watch = watch;
        this.metrics = metrics;
        this.attempts = properties.attempts();
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
        return prefill(job, chosen, id).flatMap(step -> switch (step) {
            case Answered(EngineClient.Whole answer) -> answered(job, chosen.worker(), id, answer);
            case Failed(RuntimeException why) -> failed(job, chosen.worker(), why);
        });
    }

    private sealed interface Step {}

    private record Answered(EngineClient.Whole answer) implements Step {}

    private record Failed(RuntimeException why) implements Step {}

    private Mono<Step> prefill(Job job, PrefillChoice.Chosen chosen, String id) {
        WorkerIntent worker = chosen.worker();
        LoadUnit unit = chosen.unit();
        long start = System.nanoTime();
        Mono<EngineClient.Whole> answer = engines.exchange(
                        url(worker.url(), job),
                        headers.of(job, id),
                        job.request().forPrefill())
                .timeout(
                        prefillTimeout,
                        Mono.error(() -> new GatewayException(
                                GatewayException.Kind.ENGINE_TIMEOUT, "The prefill worker did not answer in time.")));
        Incarnation incarnation = new Incarnation(worker.slot(), worker.uid());
        return Mono.firstWithSignal(
                        answer, watch.<EngineClient.Whole>lost(job.pool().name(), incarnation))
                .doOnTerminate(() -> {
                    unit.release();
                    metrics.stage(job.pool().name(), GatewayMetrics.Stage.PREFILL, System.nanoTime() - start);
                })
                .doOnCancel(unit::release)
                .<Step>map(Answered::new)
                .onErrorResume(RuntimeException.class, why -> Mono.just(new Failed(why)));
    }

    /** The prefill worker did not answer, or not to the end. It keeps nothing that could be used, so another one is asked. */
    private Mono<Void> failed(Job job, WorkerIntent worker, RuntimeException why) {
        if (why instanceof GatewayException) {
            return Mono.error(why);
        }
        log.info(
                "Prefill worker {} of pool {} failed: {}",
                worker.slot(),
                job.pool().name(),
                why.getMessage());
        job.failedPrefillers().add(worker.slot());
        GatewayMetrics.Retry cause = why instanceof EngineClient.NotReachedException
                ? GatewayMetrics.Retry.PREFILL_NOT_REACHED
                : GatewayMetrics.Retry.PREFILL_BROKEN;
        return again(
                job,
                cause,
                new GatewayException(GatewayException.Kind.PREFILL_FAILED, "The prefill worker did not answer."));
    }

    private Mono<Void> answered(Job job, WorkerIntent worker, String id, EngineClient.Whole answer) {
        if (answer.status() >= 300) {
            return refused(job, worker, answer);
        }
        PrefillAnswer prefilled;
        try {
            prefilled = PrefillAnswer.of(
                    answer.body(), job.pool().state().intent().model().geometry());
        } catch (InvalidInputException unreadable) {
            return failed(job, worker, new EngineClient.BrokenException(unreadable));
        }
        if (prefilled.finished()) {
            return answers.finishedByPrefill(job, answer);
        }
        if (prefilled.transfer().isEmpty()) {
            job.failedPrefillers().add(worker.slot());
            return again(
                    job,
                    GatewayMetrics.Retry.PREFILL_REFUSED,
                    new GatewayException(
                            GatewayException.Kind.NO_TRANSFER,
                            "The prefill worker answered without kv_transfer_params: it is not set up for disaggregated serving."));
        }
        metrics.signature(job.pool().name(), prefilled.signature());
        if (prefilled.signature() instanceof PromptSignature.Bad(String form, String why)) {
            log.info(
                    "Prefill worker {} of pool {} sent a bad {}: {}",
                    worker.slot(),
                    job.pool().name(),
                    form,
                    why);
        }
        return decode.run(job, id, prefilled, () -> attempt(job));
    }

    private Mono<Void> refused(Job job, WorkerIntent worker, EngineClient.Whole answer) {
        if (OpenAiErrors.blamesTheClient(answer.status(), answer.body())) {
            return answers.passWhole(job, answer, GatewayMetrics.End.CLIENT_ERROR);
        }
        log.info(
                "Prefill worker {} of pool {} answered {}",
                worker.slot(),
                job.pool().name(),
                answer.status());
        job.failedPrefillers().add(worker.slot());
        if (job.attempt() >= attempts || !prefillers.hasOther(job.pool(), job.failedPrefillers())) {
            return answers.passWhole(job, answer, GatewayMetrics.End.ENGINE_ERROR);
        }
        metrics.retried(job.pool().name(), GatewayMetrics.Retry.PREFILL_REFUSED);
        return attempt(job);
    }

    private Mono<Void> again(Job job, GatewayMetrics.Retry cause, GatewayException otherwise) {
        if (job.attempt() >= attempts || !prefillers.hasOther(job.pool(), job.failedPrefillers())) {
            return Mono.error(otherwise);
        }
        metrics.retried(job.pool().name(), cause);
        return attempt(job);
    }

    static String url(String worker, Job job) {
        String base = worker.endsWith("/") ? worker.substring(0, worker.length() - 1) : worker;
        return base + job.request().api().path();
    }
}
