package io.eldr.calibration.evaluation;

import com.github.kagkarlsson.scheduler.task.helper.CustomTask;
import io.eldr.calibration.CalibrationProperties;
import io.eldr.calibration.job.JobQueue;
import io.eldr.calibration.job.JobStop;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;

/** The evaluations that wait; each replica runs one at a time, beside its refits. */
@Component
class EvaluationQueue extends JobQueue {
    EvaluationQueue(
            DataSource database,
            @Qualifier("evaluation") CustomTask<Void> evaluation,
            JobStop stop,
            InstantSource clock,
            CalibrationProperties properties) {
        super(database, evaluation, 1, stop, clock, properties);
    }
}
