package io.eldr.service.tracing;

import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How a trace goes from one service to the next: W3C {@code traceparent} and {@code tracestate}. */
public final class TraceHeaders {

    private static final TextMapGetter<Function<String, @Nullable String>> GETTER = new TextMapGetter<>() {
        // Not asked for: the propagator knows the names it wants.
        @Override
        public Iterable<String> keys(Function<String, @Nullable String> headers) {
            return List.of();
        }

        @Override
        public @Nullable String get(@Nullable Function<String, @Nullable String> headers, String name) {
            return headers == null ? null : headers.apply(name);
        }
    };

    private TraceHeaders() {}

    /** @param header the value of a header of this name, null where there is none */
    public static Context caller(Function<String, @Nullable String> header) {
        return W3CTraceContextPropagator.getInstance().extract(Context.root(), header, GETTER);
    }

    /** Names the span of {@code context} as the caller. */
    public static void write(Context context, BiConsumer<String, String> setHeader) {
        W3CTraceContextPropagator.getInstance().inject(context, setHeader, (set, name, value) -> {
            if (set != null) {
                set.accept(name, value);
            }
        });
    }
}
