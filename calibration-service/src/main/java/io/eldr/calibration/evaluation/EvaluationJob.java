package io.eldr.calibration.evaluation;

import io.eldr.calibration.evaluation.EvaluationLifecycle.Attempt;
import io.eldr.calibration.evaluation.EvaluationLifecycle.Turn;
import io.eldr.calibration.job.JobAttempt;
import io.eldr.calibration.job.JobStop;
import io.eldr.calibration.job.JobTasks;
import io.eldr.calibration.tracing.Spans;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Runs an evaluation from its turn to its end. */
@Component
class EvaluationJob {
    private static final Logger log = LoggerFactory.getLogger(EvaluationJob.class);

    private final EvaluationLifecycle lifecycle;
    private final JobStop stop;
    private final EvaluationWork work;
    private final Spans spans;

    EvaluationJob(EvaluationLifecycle lifecycle, JobStop stop, EvaluationWork work, Spans spans) {
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
                spans.in("evaluation", () -> attempt(attempt));
                yield JobTasks.Ending.OVER;
            }
        };
    }

    private void attempt(Attempt attempt) {
        Span.current().setAttribute("eldr.evaluation", attempt.run()).setAttribute("eldr.attempt", attempt.number());
        log.info("Evaluation {} begins, attempt {}", attempt.run(), attempt.number());
        JobAttempt.run(
                "evaluation " + attempt.run(),
                stop,
                () -> work.run(attempt),
                reason -> {
                    Span.current().setStatus(StatusCode.ERROR, reason);
                    lifecycle.fail(attempt, reason);
                },
                "not enough memory for the samples: lower eldr.calibration.refit.max-samples or give more");
    }
}
