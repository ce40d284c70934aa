package io.eldr.calibration.tracing;

import io.eldr.service.tracing.TraceHeaders;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Opens a span for each call that changes something, below its caller's where one came with it (W3C {@code traceparent}).
 * Reads, which dashboards repeat without end, have none.
 */
final class TraceFilter extends OncePerRequestFilter {
    private static final String API = "/v1/";
    private static final Set<String> CHANGES = Set.of("POST", "PUT", "PATCH", "DELETE");
    private static final int FIRST_SERVER_ERROR = 500;

    private final Tracer tracer;

    TraceFilter(Tracer tracer) {
        this.tracer = tracer;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !CHANGES.contains(request.getMethod())
                || !request.getRequestURI().startsWith(API);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Span span = tracer.spanBuilder(request.getMethod())
                .setParent(TraceHeaders.caller(request::getHeader))
                .setSpanKind(SpanKind.SERVER)
                .setAttribute("http.request.method", request.getMethod())
                .setAttribute("url.path", request.getRequestURI())
                .startSpan();
        try (Spans.Open _ = new Spans.Open(span)) {
            chain.doFilter(request, response);
        } finally {
            end(span, request, response);
        }
    }

    /** Only now is it known which of our paths it was; what is none of them goes without a name. */
    private static void end(Span span, HttpServletRequest request, HttpServletResponse response) {
        if (request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE) instanceof String route) {
            span.updateName(request.getMethod() + " " + route);
            span.setAttribute("http.route", route);
        }
        span.setAttribute("http.response.status_code", response.getStatus());
        if (response.getStatus() >= FIRST_SERVER_ERROR) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }
}
