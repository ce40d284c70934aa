package io.eldr.router.gateway;

import io.eldr.core.load.Outcome;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.router.engine.PrefillAnswer;
import io.eldr.router.engine.PromptSignature;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The way of a request: a prefill worker reads the prompt; its answer says which experts the prompt used and where its
 * state lies; a decode worker chosen by them fetches that state and streams the answer. All of it happens on the event loop
 * of the client's connection.
 *
 * <p>What failed is tried again only where nothing can be garbled by it: the state of a prompt is for one decode worker and
 * one time, so once a decode worker may have seen the request, it begins anew with another prefill and another id. Nothing
 * is begun anew after the client got a byte.
 */
@Component
final class Handoff {
    private static final Logger log = LoggerFactory.getLogger(Handoff.class);
    /** Raw rows of experts of a long prompt fill many megabytes. */
    private static final int MOST_PREFILL_ANSWER = 512 << 20;

    private static final int FIRST_FAILURE = 300;

    private final PrefillChoice prefillers;
    private final EngineHeaders headers;
    private final HeldStates states;
    private final DecodeStep decode;
    private final ClientAnswer answers;
    private final WorkerWatch watch;
    private final GatewayMetrics metrics;
    private final int attempts;
    private final Duration retryWithin;
    private final Duration prefillTimeout;

    Handoff(
            PrefillChoice prefillers,
            EngineHeaders headers,
            HeldStates states,
            DecodeStep decode,
            ClientAnswer answers,
            WorkerWatch watch,
            GatewayMetrics metrics,
            GatewayProperties properties) {
        this.prefillers = prefillers;
        this.headers = headers;
        this.states = states;
        this.decode = decode;
        this.answers = answers;
        this.watch = watch;
        this.metrics = metrics;
        this.attempts = properties.attempts();
        this.retryWithin = properties.retryWithin();
        this.prefillTimeout = properties.prefillTimeout();
    }

    /** Serves a request to its end. */
    void serve(Job job) {
        metrics.began();
        attempt(job);
    }

    private void attempt(Job job) {
        var chosen =
                prefillers.choose(job.pool(), job.request().prefix(), job.failedPrefillers(), job.failedDecoders());
        if (chosen.isEmpty()) {
            answers.fail(
                    job,
                    new GatewayException(
                            GatewayException.Kind.NO_PREFILLER, "No prefill worker of the pool is READY."));
        } else {
            new Prefilling(job, chosen.get(), job.nextId()).begin();
        }
    }

    /** A prompt that is with a prefill worker. */
    private final class Prefilling implements ClientExchange.Stage {
        private final Job job;
        private final PrefillChoice.Chosen chosen;
        private final String id;
        private final long since = System.nanoTime();
        private final EngineCall call;
        private final WorkerWatch.Waiting waiting;
        private boolean over;

        Prefilling(Job job, PrefillChoice.Chosen chosen, String id) {
            this.job = job;
            this.chosen = chosen;
            this.id = id;
            String url =
                    EngineClient.url(chosen.worker().url(), job.request().api().path());
            this.call = new EngineCall(
                    url,
                    headers.of(job, id),
                    job.dialect().forPrefill(job.body(), id),
                    job.exchange().trace().prefill(url),
                    new WholeListener(MOST_PREFILL_ANSWER, this::answered, this::failed));
            this.waiting = watch.begin(
                    job.pool().name(),
                    chosen.incarnation(),
                    prefillTimeout,
                    job.exchange().engines().loop(),
                    this::failed);
        }

        void begin() {
            job.exchange().enter(this);
            job.exchange().engines().send(call);
        }

        @Override
        public void leave() {
            if (ends()) {
                call.cancel();
                prefillers.ended(chosen, Outcome.ABORTED);
                answers.end(job, GatewayMetrics.End.ABORTED);
            }
        }

        private void answered(WholeAnswer answer) {
            goOn(() -> Handoff.this.answered(job, chosen, id, answer));
        }

        private void failed(RuntimeException why) {
            goOn(() -> {
                call.cancel();
                Handoff.this.failed(job, chosen, why);
            });
        }

        private void goOn(Runnable next) {
            if (!ends()) {
                return;
            }
            metrics.stage(job.pool().name(), GatewayMetrics.Stage.PREFILL, System.nanoTime() - since);
            try {
                next.run();
            } catch (RuntimeException fault) {
                prefillers.ended(chosen, Outcome.ABORTED);
                log.error("A request failed in the gateway", fault);
                answers.fail(job, GatewayException.internal());
            }
        }

        private boolean ends() {
            boolean first = !over;
            over = true;
            waiting.stop();
            return first;
        }
    }

    /** The prefill worker did not answer, or not to the end. It keeps nothing that could be used, so another one is asked. */
    private void failed(Job job, PrefillChoice.Chosen chosen, RuntimeException why) {
        if (why instanceof GatewayException failure) {
            prefillers.ended(chosen, Outcome.TIMEOUT);
            answers.fail(job, failure);
            return;
        }
        if (why instanceof EngineClient.BrokenException broken && broken.wasIdle() && job.forgive()) {
            // The engine had closed the connection meanwhile, which is no fault of it.
            prefillers.ended(chosen, Outcome.ABORTED);
        } else {
            blame(job, chosen, String.valueOf(why.getMessage()));
        }
        again(
                job,
                why instanceof EngineClient.NotReachedException
                        ? GatewayMetrics.Retry.PREFILL_NOT_REACHED
                        : GatewayMetrics.Retry.PREFILL_BROKEN,
                new GatewayException(GatewayException.Kind.PREFILL_FAILED, "The prefill worker did not answer."));
    }

    private void answered(Job job, PrefillChoice.Chosen chosen, String id, WholeAnswer answer) {
        if (answer.status() >= FIRST_FAILURE) {
            refused(job, chosen, answer);
            return;
        }
        PrefillAnswer prefilled;
        try {
            prefilled = job.dialect()
                    .read(answer.body(), job.pool().state().intent().model().geometry());
        } catch (InvalidInputException unreadable) {
            unusable(job, chosen, GatewayException.Kind.PREFILL_FAILED, unreadable.field() + " " + unreadable.reason());
            return;
        }
        switch (prefilled) {
            case PrefillAnswer.NothingKept _ ->
                unusable(job, chosen, GatewayException.Kind.NO_TRANSFER, "it has no kv_transfer_params");
            case PrefillAnswer.Finished(var transfer) -> {
                prefillers.ended(chosen, Outcome.COMPLETED);
                transfer.ifPresent(state -> states.held(job, id, state).letGo());
                answers.finishedByPrefill(job, answer);
            }
            case PrefillAnswer.HandedOver state -> {
                prefillers.ended(chosen, Outcome.COMPLETED);
                count(job, chosen, state.signature());
                decode.begin(
                        new DecodeStep.Handover(
                                job,
                                id,
                                chosen.worker(),
                                state,
                                states.held(job, id, state.transfer()),
                                System.nanoTime()),
                        spent -> spent(job, spent));
            }
        }
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

    private void unusable(Job job, PrefillChoice.Chosen chosen, GatewayException.Kind kind, String what) {
        blame(job, chosen, "its answer cannot be handed on: " + what);
        again(
                job,
                GatewayMetrics.Retry.PREFILL_REFUSED,
                new GatewayException(
                        kind,
                        "The prefill worker's answer cannot be handed to a decode worker, for which it may not be set up: "
                                + what + "."));
    }

    private void refused(Job job, PrefillChoice.Chosen chosen, WholeAnswer answer) {
        if (OpenAiErrors.blamesTheClient(answer.status(), answer.body())) {
            prefillers.ended(chosen, Outcome.CLIENT_ERROR);
            answers.passWhole(job, answer, GatewayMetrics.End.CLIENT_ERROR);
            return;
        }
        blame(job, chosen, "answered " + answer.status());
        if (mayPrefillAgain(job)) {
            anew(job, GatewayMetrics.Retry.PREFILL_REFUSED);
        } else {
            answers.passWhole(job, answer, GatewayMetrics.End.ENGINE_ERROR);
        }
    }

    private void blame(Job job, PrefillChoice.Chosen chosen, String what) {
        String slot = chosen.worker().slot();
        log.info("Prefill worker {} of pool {} failed: {}", slot, job.pool().name(), what);
        prefillers.ended(chosen, Outcome.DECODER_FAILED);
        job.failedPrefillers().add(slot);
    }

    /** The prompt's state is used up: only another prefill can help. */
    private void spent(Job job, DecodeStep.Spent spent) {
        if (mayBeginAnew(job) && decode.hasOther(job)) {
            anew(job, spent.cause());
        } else if (spent.answer().isPresent()) {
            answers.passWhole(job, spent.answer().get(), GatewayMetrics.End.ENGINE_ERROR);
        } else {
            answers.fail(job, DecodeStep.decodeFailed());
        }
    }

    private void again(Job job, GatewayMetrics.Retry cause, GatewayException otherwise) {
        if (mayPrefillAgain(job)) {
            anew(job, cause);
        } else {
            answers.fail(job, otherwise);
        }
    }

    private void anew(Job job, GatewayMetrics.Retry cause) {
        metrics.retried(job.pool().name(), cause);
        attempt(job);
    }

    private boolean mayPrefillAgain(Job job) {
        return mayBeginAnew(job) && prefillers.hasOther(job.pool(), job.failedPrefillers());
    }

    private boolean mayBeginAnew(Job job) {
        return job.attempt() < attempts && System.nanoTime() - job.startedAt() < retryWithin.toNanos();
    }
}
