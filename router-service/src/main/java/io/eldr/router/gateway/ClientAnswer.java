package io.eldr.router.gateway;

import io.eldr.core.routing.Decision;
import io.eldr.router.engine.PrefillAnswer;
import io.eldr.router.route.Placements;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import org.springframework.stereotype.Component;

/** Gives the client what engines answered, byte for byte, and counts how each request ended. */
@Component
final class ClientAnswer {
    private static final String EVENTS = "text/event-stream; charset=utf-8";
    private static final int OK = 200;

    private final GatewayMetrics metrics;
    private final boolean decisionHeaders;

    ClientAnswer(GatewayMetrics metrics, GatewayProperties properties) {
        this.metrics = metrics;
        this.decisionHeaders = properties.decisionHeaders();
    }

    /** Writes the head of a decode worker's answer. */
    void begin(DecodeStep.Handover handover, Placements.Placed placed, int status, HttpHeaders engine) {
        HttpHeaders headers = headers();
        PassedHeaders.toClient(engine, headers);
        decided(headers, handover.id(), placed.decision());
        handover.job().exchange().begin(status, headers);
    }

    /** Gives the client its first token at once. What goes wrong after that can only be told in the stream. */
    void first(DecodeStep.Handover handover, Placements.Placed placed, PrefillAnswer.FirstToken token) {
        Job job = handover.job();
        HttpHeaders headers = headers();
        headers.set(HttpHeaderNames.CONTENT_TYPE, EVENTS);
        decided(headers, handover.id(), placed.decision());
        job.exchange().begin(OK, headers);
        byte[] event = PrefillText.firstEvent(token, job.request().flags());
        job.exchange().write(Unpooled.wrappedBuffer(event));
        job.exchange().flush();
    }

    /** The answer was given whole. */
    void finish(Job job, GatewayMetrics.End end) {
        job.exchange().end(delivered -> end(job, delivered ? end : GatewayMetrics.End.ABORTED));
    }

    /** Passes an engine's answer on that was read whole. */
    void passWhole(Job job, WholeAnswer answer, GatewayMetrics.End end) {
        HttpHeaders headers = headers();
        PassedHeaders.toClient(answer.headers(), headers);
        whole(job.exchange(), answer.status(), headers, answer.body());
        finish(job, end);
    }

    /** The prefill worker's first token was the last one: nothing is left to decode. */
    void finishedByPrefill(Job job, WholeAnswer answer) {
        HttpHeaders headers = headers();
        PassedHeaders.toClient(answer.headers(), headers);
        if (job.request().stream()) {
            headers.set(HttpHeaderNames.CONTENT_TYPE, EVENTS);
        }
        whole(job.exchange(), answer.status(), headers, PrefillText.finished(answer.body(), job.request()));
        finish(job, GatewayMetrics.End.COMPLETED);
    }

    /** Ends a request of which the client has not seen anything. */
    void fail(Job job, GatewayException failure) {
        error(job.exchange(), failure);
        finish(job, GatewayMetrics.End.GATEWAY_ERROR);
    }

    /** Tells a failure in a stream that has begun, which must not look whole after that. */
    void tell(Job job, GatewayException failure) {
        tell(job, OpenAiErrors.body(failure), GatewayMetrics.End.GATEWAY_ERROR);
    }

    /** Tells an engine's error in a stream that has begun, which must not look whole after that. */
    void tell(Job job, byte[] error, GatewayMetrics.End end) {
        job.exchange().write(Unpooled.wrappedBuffer(PrefillText.event(OpenAiErrors.oneLine(error))));
        breakOff(job, end);
    }

    /** Ends a stream in its midst. */
    void breakOff(Job job, GatewayMetrics.End end) {
        end(job, end);
        job.exchange().breakOff();
    }

    /** Answers a request that never became a job. */
    void refuse(ClientExchange exchange, GatewayException refusal) {
        error(exchange, refusal);
        exchange.end(delivered -> {});
    }

    /** Answers with the gateway's own words. */
    void json(ClientExchange exchange, byte[] body) {
        HttpHeaders headers = new DefaultHttpHeaders();
        headers.set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON);
        whole(exchange, OK, headers, body);
        exchange.end(delivered -> {});
    }

    /** Counts how a request ended; the first call counts. */
    void end(Job job, GatewayMetrics.End end) {
        if (job.end()) {
            metrics.ended(job.pool().name(), end, System.nanoTime() - job.startedAt());
        }
    }

    private static void error(ClientExchange exchange, GatewayException failure) {
        byte[] body = OpenAiErrors.body(failure);
        whole(exchange, failure.kind().status(), OpenAiErrors.headers(failure, body), body);
    }

    private static void whole(ClientExchange exchange, int status, HttpHeaders headers, byte[] body) {
        headers.set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        exchange.begin(status, headers);
        exchange.write(Unpooled.wrappedBuffer(body));
    }

    private static HttpHeaders headers() {
        // A proxy in front must not hold tokens back.
        return new DefaultHttpHeaders().set("X-Accel-Buffering", "no");
    }

    private void decided(HttpHeaders headers, String id, Decision.Chosen decision) {
        if (!decisionHeaders) {
            return;
        }
        headers.set("x-eldr-request-id", id);
        headers.set("x-eldr-decoder", decision.decoder().id());
        headers.set("x-eldr-policy", decision.policy().id());
        headers.set("x-eldr-reason", decision.reason().id());
        decision.version()
                .artifactVersion()
                .ifPresent(version -> headers.set("x-eldr-artifact-version", Long.toString(version)));
    }
}
