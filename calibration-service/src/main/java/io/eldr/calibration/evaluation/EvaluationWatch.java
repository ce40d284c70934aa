package io.eldr.calibration.evaluation;

import io.eldr.calibration.job.JobWatch;
import io.eldr.db.evaluation.EvaluationRunRepository;
import org.springframework.stereotype.Component;

/** Watches the evaluations that this replica runs. */
@Component
class EvaluationWatch extends JobWatch {
    EvaluationWatch(EvaluationRunRepository runs) {
        super("evaluation", runs::findByIdIn);
    }
}
