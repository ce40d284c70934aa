package io.eldr.router.tracing;

import io.eldr.service.tracing.TraceHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import org.jspecify.annotations.Nullable;

/** Opens a span for each request that the gateway serves, below its caller's where one came with it. */
public final class RequestTraces {
    private final @Nullable Tracer tracer;

    private RequestTraces(@Nullable Tracer tracer) {
        this.tracer = tracer;
    }

    /** Nothing is traced. */
    static RequestTraces off() {
        return new RequestTraces(null);
    }

    static RequestTraces of(Tracer tracer) {
        return new RequestTraces(tracer);
    }

    /** A request has come; {@link RequestTrace#end} ends its span. */
    public RequestTrace begin(String method, String path, HttpHeaders headers) {
        if (tracer == null) {
            return RequestTrace.NONE;
        }
        Context caller = TraceHeaders.caller(headers::get);
        Span span = tracer.spanBuilder(method + " " + path)
                .setParent(caller)
                .setSpanKind(SpanKind.SERVER)
                .setAttribute("http.request.method", method)
                .setAttribute("url.path", path)
                .startSpan();
        return new RequestTrace(tracer, caller.with(span));
    }
}
