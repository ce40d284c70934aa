package io.eldr.calibration.testing;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** Keeps the spans that a collector would get. */
public final class RecordedSpans implements SpanExporter {
    private final Queue<SpanData> spans = new ConcurrentLinkedQueue<>();

    /** Puts it in the place of the service's own. No component, so that only who names it gets it. */
    public static class Replacement {
        @Bean
        @Primary
        RecordedSpans recordedSpans() {
            return new RecordedSpans();
        }
    }

    /** In the order of their ends. */
    public List<SpanData> all() {
        return List.copyOf(spans);
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> ended) {
        spans.addAll(ended);
        return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode flush() {
        return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
        return CompletableResultCode.ofSuccess();
    }
}
