package io.eldr.router.gateway;

import io.eldr.core.load.Outcome;
import io.eldr.core.routing.Decision;
import io.eldr.core.routing.Decoder;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.router.engine.PrefillAnswer;
import io.eldr.router.engine.PromptSignature;
import io.eldr.router.intent.WorkerIntent;
import io.eldr.router.route.Placements;
import io.eldr.router.worker.Ranks;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** The second half of a request's way: a decoder is chosen and reserved, and its answer is given to the client. */
@Component
final class DecodeStep {
    private static final Logger log = LoggerFactory.getLogger(DecodeStep.class);

    private final Placements placements;
    private final Ranks ranks;
    private final EngineHeaders headers;
    private final WorkerWatch watch;
    private final GatewayMetrics metrics;
    private final ClientAnswer answers;
    private final Renewals renewals;
    private final GatewaySamples samples;
    private final Duration firstByteTimeout;
    private final Duration handoffDeadline;

    DecodeStep(
            Placements placements,
            Ranks ranks,
            EngineHeaders headers,
            WorkerWatch watch,
            GatewayMetrics metrics,
            ClientAnswer answers,
            Renewals renewals,
            GatewaySamples samples,
            GatewayProperties properties) {
        this.placements = placements;
        this.ranks = ranks;
        this.headers = headers;
        this.watch = watch;
        this.metrics = metrics;
        this.answers = answers;
        this.renewals = renewals;
        this.samples = samples;
        this.firstByteTimeout = properties.firstByteTimeout();
        this.handoffDeadline = properties.handoffDeadline();
    }

    /**
     * A prompt's state that waits for a decode worker.
     *
     * @param id of the attempt, at prefill and decode worker alike
     * @param prefiller that made it
     * @param prefilledAt when the prefill worker had answered, in nanoseconds
     */
    record Handover(
            Job job,
            String id,
            WorkerIntent prefiller,
            PrefillAnswer.HandedOver state,
            HeldStates.Held held,
            long prefilledAt) {}

    /**
     * A decoder that was chosen for a request and holds a unit of its load.
     *
     * @param rank a place on one of its ranks, where it has several
     */
    record Seat(Placements.Placed placed, Optional<Ranks.Seat> rank) {
        Decoder decoder() {
            return placed.decision().decoder();
        }
    }

    /**
     * The state is used up, and the client has not seen anything.
     *
     * @param answer what the decode worker said, if anything
     */
    record Spent(GatewayMetrics.Retry cause, Optional<WholeAnswer> answer) {}

    /** Decodes to the end, unless the state is spent before the client got a byte. */
    void begin(Handover handover, Consumer<Spent> onSpent) {
        try {
            Seat seat = place(handover);
            holding(handover, seat, () -> {
                handover.state()
                        .first()
                        .filter(token -> handover.job().request().stream())
                        .ifPresent(token -> answers.first(handover, seat.placed(), token));
                new Decoding(this, handover, seat, onSpent).begin();
            });
        } catch (GatewayException failure) {
            fail(handover, failure);
        }
    }

    /** Whatever goes wrong at once must not leave a seat taken. */
    private void holding(Handover handover, Seat seat, Runnable decoding) {
        try {
            decoding.run();
        } catch (RuntimeException fault) {
            close(seat, Outcome.ABORTED);
            handover.held().letGo();
            throw fault;
        }
    }

    /**
     * Chooses a decoder and reserves a unit of its load.
     *
     * @throws GatewayException if there is none
     */
    private Seat place(Handover handover) {
        Job job = handover.job();
        Optional<ExpertCounts> counts = handover.state().signature() instanceof PromptSignature.Read(var read, var form)
                ? Optional.of(read)
                : Optional.empty();
        Set<String> misfits = Revisions.misfits(job.pool().state(), handover.prefiller());
        int promptTokens = handover.state().promptTokens().orElse(1);
        Placements.Result result = job.exchange()
                .trace()
                .decide(
                        handover.id(),
                        () -> placements.place(
                                job.pool(), handover.id(), promptTokens, counts, both(job.failedDecoders(), misfits)));
        return switch (result) {
            case Placements.NotPlaced(Decision.Unplaced why) -> throw notPlaced(job, why, misfits);
            case Placements.Placed placed ->
                new Seat(placed, ranks.take(placed.decision().decoder().incarnation()));
        };
    }

    private static Set<String> both(Set<String> one, Set<String> other) {
        if (other.isEmpty()) {
            return one;
        }
        Set<String> both = new HashSet<>(one);
        both.addAll(other);
        return both;
    }

    private static GatewayException notPlaced(Job job, Decision.Unplaced why, Set<String> misfits) {
        return switch (why) {
            case Decision.NoneEligible _ when !job.failedDecoders().isEmpty() -> decodeFailed();
            case Decision.NoneEligible _ ->
                new GatewayException(
                        GatewayException.Kind.NO_DECODER,
                        misfits.isEmpty()
                                ? "No decode worker of the pool is READY."
                                : "No decode worker of the pool that runs the prefill worker's model revision is READY.");
            case Decision.AllAtCapacity _ ->
                new GatewayException(
                        GatewayException.Kind.SATURATED, "Every decode worker has its most requests in flight.");
        };
    }

    static GatewayException decodeFailed() {
        return new GatewayException(
                GatewayException.Kind.DECODE_FAILED, "Every decode worker that could be tried failed.");
    }

    /** Whether a decoder is left that did not fail the request. */
    boolean hasOther(Job job) {
        return job.pool().state().forDecisions().snapshot().decoders().stream()
                .anyMatch(decoder -> !job.failedDecoders().contains(decoder.id()));
    }

    EngineCall call(Handover handover, Seat seat, AnswerListener listener) {
        Job job = handover.job();
        String url = EngineClient.url(seat.decoder().url(), job.request().api().path());
        byte[] body = job.dialect().forDecode(job.body(), handover.state());
        metrics.stage(job.pool().name(), GatewayMetrics.Stage.HANDOFF, System.nanoTime() - handover.prefilledAt());
        return new EngineCall(
                url,
                seat.rank()
                        .map(rank -> headers.of(job, handover.id(), rank.rank()))
                        .orElseGet(() -> headers.of(job, handover.id())),
                body,
                job.exchange().trace().decode(url),
                listener);
    }

    WorkerWatch.Waiting watch(Handover handover, Seat seat, Consumer<RuntimeException> lost) {
        return watch.begin(
                handover.job().pool().name(),
                seat.decoder().incarnation(),
                firstByteTimeout,
                handover.job().exchange().engines().loop(),
                lost);
    }

    void firstByte(Handover handover, long nanos) {
        metrics.stage(handover.job().pool().name(), GatewayMetrics.Stage.FIRST_BYTE, nanos);
    }

    /** A decode worker's answer begins: its reservation must last as long. */
    Optional<GatewaySamples.Watch> streams(Handover handover, Seat seat) {
        renewals.begin(seat.placed().reservation());
        return samples.watch(handover);
    }

    void close(Seat seat, Outcome outcome) {
        seat.rank().ifPresent(Ranks.Seat::leave);
        renewals.end(seat.placed().reservation());
        placements.close(seat.placed().reservation(), outcome);
    }

    ClientAnswer answers() {
        return answers;
    }

    /** The decoder answered with an error of its own. */
    void refused(Handover handover, Seat seat, WholeAnswer answer, Consumer<Spent> onSpent) {
        Job job = handover.job();
        if (!OpenAiErrors.blamesTheClient(answer.status(), answer.body())) {
            blame(job, seat, "answered " + answer.status());
            spent(handover, new Spent(GatewayMetrics.Retry.DECODE_REFUSED, Optional.of(answer)), onSpent);
            return;
        }
        close(seat, Outcome.CLIENT_ERROR);
        handover.held().letGo();
        if (job.exchange().isBegun()) {
            answers.tell(job, answer.body(), GatewayMetrics.End.CLIENT_ERROR);
        } else {
            answers.passWhole(job, answer, GatewayMetrics.End.CLIENT_ERROR);
        }
    }

    /** The decoder gave the client nothing of an answer. */
    void failed(Handover handover, Seat seat, RuntimeException why, Consumer<Spent> onSpent) {
        Job job = handover.job();
        if (why instanceof GatewayException failure) {
            close(seat, Outcome.TIMEOUT);
            fail(handover, failure);
            return;
        }
        if (why instanceof EngineClient.BrokenException broken && broken.wasIdle() && job.forgive()) {
            // The engine had closed the connection meanwhile. That is no fault, but it may have seen the request.
            close(seat, Outcome.ABORTED);
            spent(handover, new Spent(GatewayMetrics.Retry.DECODE_BROKEN, Optional.empty()), onSpent);
            return;
        }
        blame(job, seat, String.valueOf(why.getMessage()));
        if (!(why instanceof EngineClient.NotReachedException)) {
            spent(handover, new Spent(GatewayMetrics.Retry.DECODE_BROKEN, Optional.empty()), onSpent);
            return;
        }
        // The state was not touched: another decoder may fetch it, as long as its lease surely runs.
        if (System.nanoTime() - handover.prefilledAt() >= handoffDeadline.toNanos()) {
            fail(
                    handover,
                    new GatewayException(
                            GatewayException.Kind.HANDOFF_TIMEOUT, "No decode worker took the request over in time."));
            return;
        }
        metrics.retried(job.pool().name(), GatewayMetrics.Retry.DECODE_NOT_REACHED);
        try {
            Seat other = place(handover);
            holding(handover, other, () -> new Decoding(this, handover, other, onSpent).begin());
        } catch (GatewayException failure) {
            fail(handover, failure);
        }
    }

    private void spent(Handover handover, Spent spent, Consumer<Spent> onSpent) {
        handover.held().letGo();
        Job job = handover.job();
        if (!job.exchange().isBegun()) {
            onSpent.accept(spent);
        } else if (spent.answer().isPresent()) {
            answers.tell(job, spent.answer().get().body(), GatewayMetrics.End.ENGINE_ERROR);
        } else {
            answers.tell(job, decodeFailed());
        }
    }

    /** Ends the request with a failure of the gateway's own. */
    void fail(Handover handover, GatewayException failure) {
        handover.held().letGo();
        Job job = handover.job();
        if (job.exchange().isBegun()) {
            answers.tell(job, failure);
        } else {
            answers.fail(job, failure);
        }
    }

    private void blame(Job job, Seat seat, String what) {
        String slot = seat.decoder().id();
        log.info("Decode worker {} of pool {} failed: {}", slot, job.pool().name(), what);
        close(seat, Outcome.DECODER_FAILED);
        job.failedDecoders().add(slot);
    }
}
