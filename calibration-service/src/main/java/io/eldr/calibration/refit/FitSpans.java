package io.eldr.calibration.refit;

import io.eldr.calibration.tracing.Spans;
import io.eldr.calibration.web.Fields;
import io.eldr.core.calibration.CalibrationListener;
import io.eldr.core.calibration.CalibrationStage;
import io.opentelemetry.api.trace.Span;
import java.util.Optional;

/** A span for each step of a fit, and for each start of K-means one of its own. Everything happens on the fit's thread. */
final class FitSpans implements CalibrationListener, AutoCloseable {
    private final Spans spans;
    private final CalibrationListener next;
    private Optional<CalibrationStage> stage = Optional.empty();
    private Optional<Span> open = Optional.empty();

    /** @param next hears the same */
    FitSpans(Spans spans, CalibrationListener next) {
        this.spans = spans;
        this.next = next;
    }

    @Override
    public void progress(CalibrationStage reached, double fraction) {
        boolean anotherStart = reached == CalibrationStage.CLUSTER;
        if (anotherStart || !stage.equals(Optional.of(reached))) {
            close();
            stage = Optional.of(reached);
            open = Optional.of(spans.start(anotherStart ? "kmeans" : Fields.word(reached)));
        }
        next.progress(reached, fraction);
    }

    /** Ends the step that is open. */
    @Override
    public void close() {
        open.ifPresent(Span::end);
        open = Optional.empty();
    }
}
