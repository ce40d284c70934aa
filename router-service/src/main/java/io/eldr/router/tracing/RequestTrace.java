package io.eldr.router.tracing;

import io.eldr.service.tracing.TraceHeaders;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.SignalType;

/**
 * What is told of one request's way: spans below its own for the decision, for each engine it is sent to, and for the time
 * between two of them. A request that is not traced has {@link #NONE}, which does nothing.
 */
public final class RequestTrace {

    /** Of a request that is not traced. */
    public static final RequestTrace NONE = new RequestTrace(null, Context.root());

    private static final int FIRST_SERVER_ERROR = 500;

    static final String ATTRIBUTE = RequestTrace.class.getName();
    private static final String TRACE_ID = "traceId";

    private final @Nullable Tracer tracer;
    private final Context request;
    private volatile Optional<Instant> prefilledAt = Optional.empty();

    /** @param request holds the request's own span */
    RequestTrace(@Nullable Tracer tracer, Context request) {
        this.tracer = tracer;
        this.request = request;
    }

    public static RequestTrace of(ServerWebExchange exchange) {
        return exchange.getAttribute(ATTRIBUTE) instanceof RequestTrace trace ? trace : NONE;
    }

    /** The trace that the request belongs to; empty where it is not traced. */
    public Optional<String> traceId() {
        return tracer == null
                ? Optional.empty()
                : Optional.of(Span.fromContext(request).getSpanContext().getTraceId());
    }

    /**
     * The answer has gone, or broke off.
     *
     * @param status of the answer; empty where none was begun
     * @param whole whether the client got all of it
     */
    public void end(OptionalInt status, boolean whole) {
        if (tracer != null) {
            Span span = Span.fromContext(request);
            status.ifPresent(code -> span.setAttribute("http.response.status_code", code));
            if (!whole || status.orElse(0) >= FIRST_SERVER_ERROR) {
                span.setStatus(StatusCode.ERROR);
            }
            span.end();
        }
    }

    /** The client left. */
    public void aborted(OptionalInt status) {
        if (tracer != null) {
            Span.fromContext(request).setAttribute("eldr.aborted", true);
            end(status, true);
        }
    }

    /** Makes a decision in a span of its own; what is logged meanwhile bears the field {@code traceId}. */
    public <T> T decide(String requestId, Supplier<T> decision) {
        if (tracer == null) {
            return decision.get();
        }
        Span span = tracer.spanBuilder("decide")
                .setParent(request)
                .setAttribute("eldr.request_id", requestId)
                .startSpan();
        try (MDC.MDCCloseable _ =
                MDC.putCloseable(TRACE_ID, span.getSpanContext().getTraceId())) {
            return decision.get();
        } catch (RuntimeException e) {
            span.setStatus(StatusCode.ERROR, String.valueOf(e.getMessage()));
            throw e;
        } finally {
            span.end();
        }
    }

    /** The request goes to a prefill worker. */
    public Hop prefill(String url) {
        return hop("prefill", url, () -> prefilledAt = Optional.of(Instant.now()));
    }

    /** The request goes to a decode worker; what lies between the prefill worker's answer and now is the handoff. */
    public Hop decode(String url) {
        if (tracer != null) {
            prefilledAt.ifPresent(since -> tracer.spanBuilder("handoff")
                    .setParent(request)
                    .setStartTimestamp(since)
                    .startSpan()
                    .end());
        }
        return hop("decode", url, () -> {});
    }

    private Hop hop(String name, String url, Runnable onEnd) {
        if (tracer == null) {
            return new Hop(null, onEnd);
        }
        return new Hop(
                tracer.spanBuilder(name)
                        .setParent(request)
                        .setSpanKind(SpanKind.CLIENT)
                        .setAttribute("http.request.method", "POST")
                        .setAttribute("url.full", url)
                        .startSpan(),
                onEnd);
    }

    /** A request to an engine, under way. */
    public final class Hop {
        private final @Nullable Span span;
        private final Runnable onEnd;
        private final AtomicBoolean over = new AtomicBoolean();

        private Hop(@Nullable Span span, Runnable onEnd) {
            this.span = span;
            this.onEnd = onEnd;
        }

        /** Names this hop as the caller in an engine's headers, in place of the client. */
        public void inject(BiConsumer<String, String> setHeader) {
            if (span != null) {
                TraceHeaders.write(request.with(span), setHeader);
            }
        }

        /** The engine began its answer. */
        public void answered(int status) {
            if (span != null) {
                span.setAttribute("http.response.status_code", status);
                span.addEvent("first byte");
            }
        }

        /** Its answer was whole, or will not come. The first call counts. */
        public void end(SignalType how) {
            if (span != null && over.compareAndSet(false, true)) {
                if (how == SignalType.ON_ERROR) {
                    span.setStatus(StatusCode.ERROR);
                } else if (how == SignalType.CANCEL) {
                    span.setAttribute("eldr.aborted", true);
                }
                onEnd.run();
                span.end();
            }
        }
    }
}
