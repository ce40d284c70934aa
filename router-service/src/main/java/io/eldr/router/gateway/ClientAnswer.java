package io.eldr.router.gateway;

import io.eldr.core.load.Outcome;
import io.eldr.core.load.ReservationId;
import io.eldr.core.routing.Decision;
import io.eldr.router.engine.PrefillAnswer;
import io.eldr.router.route.Placements;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Gives the client what engines answered, byte for byte, and counts how each request ended. */
@Component
final class ClientAnswer {
    private final Placements placements;
    private final GatewayMetrics metrics;
    private final Renewals renewals;
    private final GatewaySamples samples;
    private final boolean decisionHeaders;
    private final NettyDataBufferFactory buffers = new NettyDataBufferFactory(ByteBufAllocator.DEFAULT);

    ClientAnswer(
            Placements placements,
            Renewals renewals,
            GatewayMetrics metrics,
            GatewaySamples samples,
            GatewayProperties properties) {
        this.placements = placements;
        this.renewals = renewals;
        this.metrics = metrics;
        this.samples = samples;
        this.decisionHeaders = properties.decisionHeaders();
    }

    /** The client was told in its answer that something went wrong; the answer must not look whole after that. */
    private static final class ToldException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final GatewayMetrics.End end;

        ToldException(GatewayMetrics.End end) {
            super("told in the stream", null, false, false);
            this.end = end;
        }
    }

    /**
     * Streams a decode worker's answer. Where it breaks off before its first byte, this fails as
     * {@link EngineClient.BrokenException} with nothing said to the client.
     */
    Mono<Void> stream(DecodeStep.Handover handover, DecodeStep.Answering answering) {
        EngineClient.Streaming answer = answering.answer();
        ServerHttpResponse response = head(handover.job(), answer.status());
        PassedHeaders.toClient(answer.headers(), response.getHeaders());
        decided(response, handover.id(), answering.placed().decision());
        return write(handover.job(), response, bytes(handover, answering))
                .doOnError(failure -> {
                    if (!response.isCommitted()) {
                        PassedHeaders.takeBack(answer.headers(), response.getHeaders());
                    }
                })
                // Where the client left before anything was asked of the engine's answer.
                .doOnError(failure -> abandon(answering))
                .doOnCancel(() -> abandon(answering));
    }

    /**
     * Gives the client its first token at once, and then a decode worker's. What goes wrong after that can only be told in
     * the stream.
     *
     * @param placed the decoder that is asked first
     */
    Mono<Void> stream(
            DecodeStep.Handover handover,
            Placements.Placed placed,
            PrefillAnswer.FirstToken first,
            Mono<DecodeStep.Decoded> decoded) {
        Job job = handover.job();
        ServerHttpResponse response = head(job, 200);
        response.getHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
        decided(response, handover.id(), placed.decision());
        Flux<DataBuffer> rest = decoded.flatMapMany(what -> switch (what) {
                    case DecodeStep.Answering answering -> bytes(handover, answering);
                    case DecodeStep.Refused(EngineClient.Whole answer) ->
                        told(answer.body(), GatewayMetrics.End.CLIENT_ERROR);
                    case DecodeStep.Spent(var cause, Optional<EngineClient.Whole> answer) ->
                        answer.map(failure -> told(failure.body(), GatewayMetrics.End.ENGINE_ERROR))
                                .orElseGet(() -> told(DecodeStep.decodeFailed()));
                })
                .onErrorResume(GatewayException.class, this::told);
        byte[] event = PrefillText.firstEvent(first, job.request().flags());
        return write(job, response, Flux.concat(Mono.fromSupplier(() -> buffers.wrap(event)), rest));
    }

    private Flux<DataBuffer> told(GatewayException failure) {
        return told(OpenAiErrors.body(failure), GatewayMetrics.End.GATEWAY_ERROR);
    }

    private Flux<DataBuffer> told(byte[] error, GatewayMetrics.End end) {
        byte[] event = PrefillText.event(OpenAiErrors.oneLine(error));
        return Flux.concat(Mono.fromSupplier(() -> buffers.wrap(event)), Mono.error(() -> new ToldException(end)));
    }

    /** A decode worker's bytes, by whose end its reservation is closed. */
    private Flux<DataBuffer> bytes(DecodeStep.Handover handover, DecodeStep.Answering answering) {
        ReservationId reservation = answering.placed().reservation();
        Optional<GatewaySamples.Watch> sample = samples.watch(handover);
        return Flux.defer(() -> {
            renewals.begin(reservation);
            return answering
                    .answer()
                    .body()
                    .<DataBuffer>map(piece -> {
                        sample.ifPresent(watch -> watch.see(piece));
                        return buffers.wrap(piece);
                    })
                    .doOnComplete(() -> {
                        placements.close(reservation, Outcome.COMPLETED);
                        sample.ifPresent(GatewaySamples.Watch::completed);
                    })
                    .doOnError(failure -> placements.close(reservation, Outcome.DECODER_FAILED))
                    .doOnCancel(() -> abandon(answering))
                    .doFinally(signal -> renewals.end(reservation));
        });
    }

    private void abandon(DecodeStep.Answering answering) {
        answering.answer().discard();
        placements.close(answering.placed().reservation(), Outcome.ABORTED);
    }

    /** Each piece goes out as it comes. */
    private Mono<Void> write(Job job, ServerHttpResponse response, Flux<DataBuffer> body) {
        AtomicBoolean whole = new AtomicBoolean();
        return response.writeAndFlushWith(
                        body.doOnComplete(() -> whole.set(true)).map(Mono::just))
                // Where the client closes its connection the server takes what was written for all.
                .doOnSuccess(
                        nothing -> end(job, whole.get() ? GatewayMetrics.End.COMPLETED : GatewayMetrics.End.ABORTED))
                .doOnError(failure -> {
                    switch (failure) {
                        case ToldException told -> end(job, told.end);
                        case EngineClient.BrokenException _ -> {
                            // Before that the client can still be answered.
                            if (response.isCommitted()) {
                                end(job, GatewayMetrics.End.BROKEN_OFF);
                            }
                        }
                        default -> end(job, GatewayMetrics.End.ABORTED);
                    }
                })
                .doOnCancel(() -> end(job, GatewayMetrics.End.ABORTED));
    }

    /** Passes an engine's answer on that was read whole. */
    Mono<Void> passWhole(Job job, EngineClient.Whole answer, GatewayMetrics.End end) {
        return write(job, head(job, answer.status(), answer.headers()), answer.body(), end);
    }

    /** The prefill worker's first token was the last one: nothing is left to decode. */
    Mono<Void> finishedByPrefill(Job job, EngineClient.Whole answer) {
        ServerHttpResponse response = head(job, answer.status(), answer.headers());
        byte[] body = PrefillText.finished(answer.body(), job.request());
        response.getHeaders().setContentLength(body.length);
        if (job.request().stream()) {
            response.getHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
        }
        return write(job, response, body, GatewayMetrics.End.COMPLETED);
    }

    private Mono<Void> write(Job job, ServerHttpResponse response, byte[] body, GatewayMetrics.End end) {
        return response.writeWith(
                        Mono.fromSupplier(() -> response.bufferFactory().wrap(body)))
                .doOnSuccess(nothing -> end(job, end))
                .doOnError(failure -> end(job, GatewayMetrics.End.ABORTED))
                .doOnCancel(() -> end(job, GatewayMetrics.End.ABORTED));
    }

    private static ServerHttpResponse head(Job job, int status, HttpHeaders headers) {
        ServerHttpResponse response = head(job, status);
        PassedHeaders.toClient(headers, response.getHeaders());
        return response;
    }

    private static ServerHttpResponse head(Job job, int status) {
        ServerHttpResponse response = job.exchange().getResponse();
        response.setStatusCode(HttpStatusCode.valueOf(status));
        // A proxy in front must not hold tokens back.
        response.getHeaders().set("X-Accel-Buffering", "no");
        return response;
    }

    private void decided(ServerHttpResponse response, String id, Decision.Chosen decision) {
        if (!decisionHeaders) {
            return;
        }
        org.springframework.http.HttpHeaders headers = response.getHeaders();
        headers.set("x-eldr-request-id", id);
        headers.set("x-eldr-decoder", decision.decoder().id());
        headers.set("x-eldr-policy", decision.policy().id());
        headers.set("x-eldr-reason", decision.reason().id());
        decision.version()
                .artifactVersion()
                .ifPresent(version -> headers.set("x-eldr-artifact-version", Long.toString(version)));
    }

    void end(Job job, GatewayMetrics.End end) {
        if (job.end()) {
            metrics.ended(job.pool().name(), end, System.nanoTime() - job.startedAt());
        }
    }
}
