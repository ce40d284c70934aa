package io.eldr.router.gateway;

import io.eldr.core.load.Outcome;
import io.eldr.core.routing.Decision;
import io.eldr.router.route.Placements;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpHeaders;
import java.time.Duration;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Gives the client what engines answered, byte for byte, and counts how each request ended. */
@Component
final class ClientAnswer {
    private static final int MAX_WHOLE = 1 << 20;
    private static final Duration RENEWAL = Duration.ofSeconds(Placements.LEASE_SECONDS / 3);

    private final Placements placements;
    private final GatewayMetrics metrics;
    private final boolean decisionHeaders;
    private final NettyDataBufferFactory buffers = new NettyDataBufferFactory(ByteBufAllocator.DEFAULT);

    ClientAnswer(Placements placements, GatewayMetrics metrics, GatewayProperties properties) {
        this.placements = placements;
        this.metrics = metrics;
        this.decisionHeaders = properties.decisionHeaders();
    }

    /** Streams a decode worker's answer and closes its reservation by how that ends. */
    Mono<Void> stream(Job job, String id, Placements.Placed placed, EngineClient.Streaming streaming) {
        boolean refused = streaming.status() >= 400;
        ServerHttpResponse response = head(job, streaming.status(), streaming.headers());
        decided(response, id, placed.decision());
        Flux<Mono<DataBuffer>> body = streaming.body().map(buffer -> Mono.just((DataBuffer) buffers.wrap(buffer)));
        return Mono.defer(() -> {
            Disposable renewals = Flux.interval(RENEWAL).subscribe(tick -> placements.renew(placed.reservation()));
            return response.writeAndFlushWith(body)
                    .doFinally(signal -> renewals.dispose())
                    .doOnSuccess(nothing -> {
                        placements.close(placed.reservation(), refused ? Outcome.CLIENT_ERROR : Outcome.COMPLETED);
                        end(job, refused ? GatewayMetrics.End.CLIENT_ERROR : GatewayMetrics.End.COMPLETED);
                    })
                    .doOnError(failure -> {
                        streaming.discard();
                        boolean engine = failure instanceof EngineClient.BrokenException;
                        placements.close(placed.reservation(), engine ? Outcome.DECODER_FAILED : Outcome.ABORTED);
                        end(job, engine ? GatewayMetrics.End.BROKEN_OFF : GatewayMetrics.End.ABORTED);
                    })
                    .doOnCancel(() -> {
                        streaming.discard();
                        placements.close(placed.reservation(), Outcome.ABORTED);
                        end(job, GatewayMetrics.End.ABORTED);
                    });
        });
    }

    /** Passes an engine's answer on that was read whole. */
    Mono<Void> passWhole(Job job, EngineClient.Whole answer, GatewayMetrics.End end) {
        return write(job, head(job, answer.status(), answer.headers()), answer.body(), end);
    }

    /** The prefill worker's first token was the last one: nothing is left to decode. */
    Mono<Void> finishedByPrefill(Job job, EngineClient.Whole answer) {
        ServerHttpResponse response = head(job, answer.status(), answer.headers());
        byte[] body = FinishedAnswer.of(answer.body(), job.request());
        response.getHeaders().setContentLength(body.length);
        if (job.request().stream()) {
            response.getHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
        }
        return write(job, response, body, GatewayMetrics.End.COMPLETED);
    }

    /** Reads a whole answer of a bounded size. */
    Mono<EngineClient.Whole> whole(EngineClient.Streaming streaming) {
        Flux<DataBuffer> body = streaming.body().map(buffers::wrap);
        return DataBufferUtils.join(body, MAX_WHOLE)
                .map(ClientAnswer::bytes)
                .defaultIfEmpty(new byte[0])
                .map(bytes -> new EngineClient.Whole(streaming.status(), streaming.headers(), bytes))
                .onErrorMap(DataBufferLimitException.class, EngineClient.BrokenException::new)
                .doOnCancel(streaming::discard);
    }

    private static byte[] bytes(DataBuffer buffer) {
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        return bytes;
    }

    private Mono<Void> write(Job job, ServerHttpResponse response, byte[] body, GatewayMetrics.End end) {
        return response.writeWith(
                        Mono.fromSupplier(() -> response.bufferFactory().wrap(body)))
                .doOnSuccess(nothing -> end(job, end))
                .doOnError(failure -> end(job, GatewayMetrics.End.ABORTED))
                .doOnCancel(() -> end(job, GatewayMetrics.End.ABORTED));
    }

    private static ServerHttpResponse head(Job job, int status, HttpHeaders headers) {
        ServerHttpResponse response = job.exchange().getResponse();
        response.setStatusCode(HttpStatusCode.valueOf(status));
        PassedHeaders.toClient(headers, response.getHeaders());
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
