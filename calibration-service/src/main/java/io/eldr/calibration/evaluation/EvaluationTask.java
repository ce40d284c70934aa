package io.eldr.calibration.evaluation;

import com.github.kagkarlsson.scheduler.task.helper.CustomTask;
import io.eldr.calibration.CalibrationProperties;
import io.eldr.calibration.job.JobTasks;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An evaluation as a persistent task. */
@Configuration(proxyBeanMethods = false)
class EvaluationTask {
    @Bean
    CustomTask<Void> evaluation(EvaluationJob job, CalibrationProperties properties, InstantSource clock) {
        return JobTasks.custom("evaluation", job::run, properties.refit().pollInterval(), clock);
    }
}
