package io.eldr.calibration.tracing;

import io.eldr.service.tracing.TracingProperties;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.MDC;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Spans of work that stays on its thread: each is below the one that is open there, and {@link Span#current()} is the
 * innermost. Log lines within one carry the field {@code traceId}. Without a collector they cost nothing and say nothing.
 */
@Component
public final class Spans {
    /** Of nobody who listens. */
    public static final Spans NONE = new Spans(TracerProvider.noop().get(""));

    private static final String TRACE_ID = "traceId";

    private final Tracer tracer;

    @Autowired
    Spans(TracingProperties properties, ObjectProvider<SdkTracerProvider> provider) {
        this(properties
                .collector()
                .<TracerProvider>map(collector -> provider.getObject())
                .orElseGet(TracerProvider::noop)
                .get("io.eldr.calibration"));
    }

    private Spans(Tracer tracer) {
        this.tracer = tracer;
    }

    /** Does the work in a span of its own, which bears the failure if it fails. */
    public <T> T in(String name, Supplier<T> work) {
        Span span = start(name);
        try (Open _ = new Open(span)) {
            return work.get();
        } catch (RuntimeException e) {
            span.setStatus(StatusCode.ERROR, String.valueOf(e.getMessage()));
            throw e;
        } finally {
            span.end();
        }
    }

    /** Like {@link #in(String, Supplier)}. */
    public void in(String name, Runnable work) {
        in(name, () -> {
            work.run();
            return true;
        });
    }

    /** A span below the current one that does not take its place. Whoever starts it ends it. */
    public Span start(String name) {
        return tracer.spanBuilder(name).startSpan();
    }

    /** While it is open, a span is its thread's current one, and the thread's log lines bear its trace. */
    static final class Open implements AutoCloseable {
        private final Optional<String> before = Optional.ofNullable(MDC.get(TRACE_ID));
        private final Scope scope;

        @SuppressWarnings("MustBeClosedChecker") // closed with this
        Open(Span span) {
            this.scope = span.makeCurrent();
            if (span.getSpanContext().isValid()) {
                MDC.put(TRACE_ID, span.getSpanContext().getTraceId());
            }
        }

        @Override
        public void close() {
            scope.close();
            before.ifPresentOrElse(id -> MDC.put(TRACE_ID, id), () -> MDC.remove(TRACE_ID));
        }
    }
}
