package io.eldr.calibration.refit;

import io.eldr.calibration.job.JobAttempt;
import io.eldr.calibration.job.JobStop;
import io.eldr.calibration.job.JobTasks;
import io.eldr.calibration.refit.RefitLifecycle.Attempt;
import io.eldr.calibration.refit.RefitLifecycle.Turn;
import io.eldr.calibration.tracing.Spans;
import io.eldr.calibration.web.Fields;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Runs a refit from its turn to its end. */
@Component
class RefitJob {
    private static final Logger log = LoggerFactory.getLogger(RefitJob.class);

    private final RefitLifecycle lifecycle;
    private final JobStop stop;
    private final RefitWork work;
    private final Spans spans;

    RefitJob(RefitLifecycle lifecycle, JobStop stop, RefitWork work, Spans spans) {
        this.lifecycle = lifecycle;
        this.stop = stop;
        this.work = work;
        this.spans = spans;
    }

    JobTasks.Ending run(long id) {
        return switch (lifecycle.begin(id)) {
            case Turn.Over() -> JobTasks.Ending.OVER;
            case Turn.NotYet() -> JobTasks.Ending.NOT_ITS_TURN;
            case Turn.Begun(Attempt attempt) -> {
                spans.in("refit", () -> attempt(attempt));
                yield JobTasks.Ending.OVER;
            }
        };
    }

    private void attempt(Attempt attempt) {
        Span.current()
                .setAttribute("eldr.refit", attempt.run())
                .setAttribute("eldr.attempt", attempt.number())
                .setAttribute("eldr.trigger", Fields.word(attempt.trigger()));
        log.info("Refit {} begins, attempt {}", attempt.run(), attempt.number());
        JobAttempt.run(
                "refit " + attempt.run(),
                stop,
                () -> work.run(attempt),
                reason -> {
                    Span.current().setStatus(StatusCode.ERROR, reason);
                    lifecycle.fail(attempt, reason);
                },
                "not enough memory for the samples: lower eldr.calibration.refit.max-samples or give more");
    }
}
