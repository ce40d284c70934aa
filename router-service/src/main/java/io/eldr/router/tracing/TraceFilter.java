package io.eldr.router.tracing;

import io.eldr.service.tracing.TraceHeaders;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Opens a span for each request that is placed here, below its caller's where one came with it (W3C {@code traceparent}),
 * and closes it with the answer. What the request does is told to its {@link RequestTrace}.
 */
final class TraceFilter implements WebFilter, Ordered {

    private static final Logger log = LoggerFactory.getLogger(TraceFilter.class);
    private static final Set<String> PATHS = Set.of("/v1/route");
    private static final int FIRST_SERVER_ERROR = 500;

    private final @Nullable Tracer tracer;

    /** @param tracer without one nothing is traced */
    TraceFilter(Optional<Tracer> tracer) {
        this.tracer = tracer.orElse(null);
    }

    /** Before all others, so that what they take is in the span. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE + 10;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        String path = exchange.getRequest().getPath().value();
        if (tracer == null || !PATHS.contains(path)) {
            return chain.filter(exchange);
        }
        Context caller = TraceHeaders.caller(exchange.getRequest().getHeaders()::getFirst);
        Span span = tracer.spanBuilder("POST " + path)
                .setParent(caller)
                .setSpanKind(SpanKind.SERVER)
                .setAttribute("http.request.method", method(exchange.getRequest()))
                .setAttribute("url.path", path)
                .startSpan();
        RequestTrace trace = new RequestTrace(tracer, caller.with(span));
        exchange.getAttributes().put(RequestTrace.ATTRIBUTE, trace);
        return chain.filter(exchange)
                .doOnCancel(() -> span.setAttribute("eldr.aborted", true))
                .doOnError(failure -> span.setStatus(StatusCode.ERROR, String.valueOf(failure.getMessage())))
                .doFinally(signal -> end(span, path, exchange));
    }

    private static void end(Span span, String path, ServerWebExchange exchange) {
        Optional<HttpStatusCode> status =
                Optional.ofNullable(exchange.getResponse().getStatusCode());
        status.ifPresent(code -> {
            span.setAttribute("http.response.status_code", code.value());
            if (code.value() >= FIRST_SERVER_ERROR) {
                span.setStatus(StatusCode.ERROR);
            }
        });
        span.end();
        log.atDebug()
                .addKeyValue("traceId", span.getSpanContext().getTraceId())
                .addKeyValue("spanId", span.getSpanContext().getSpanId())
                .log(
                        "{} was answered {}",
                        path,
                        status.map(HttpStatusCode::value).orElse(0));
    }

    private static String method(ServerHttpRequest request) {
        return request.getMethod().name();
    }
}
