package io.eldr.calibration.evaluation;

import io.eldr.calibration.job.JobFeed;
import io.eldr.db.evaluation.EvaluationRun;
import io.eldr.db.evaluation.EvaluationRunRepository;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Tells listeners how evaluations go on. */
@Component
class EvaluationFeed extends JobFeed<EvaluationRun, EvaluationView> {
    EvaluationFeed(EvaluationRunRepository runs, JsonMapper json) {
        super(
                "evaluation",
                runs::findByIdIn,
                (pool, run) ->
                        run.isOver() ? EvaluationView.whole(pool, run, json) : EvaluationView.brief(pool, run, json));
    }
}
