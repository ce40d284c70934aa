package io.eldr.calibration.refit;

import com.github.kagkarlsson.scheduler.task.helper.CustomTask;
import io.eldr.calibration.CalibrationProperties;
import io.eldr.calibration.job.JobTasks;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A refit as a persistent task. */
@Configuration(proxyBeanMethods = false)
class RefitTask {
    @Bean
    CustomTask<Void> refit(RefitJob job, CalibrationProperties properties, InstantSource clock) {
        return JobTasks.custom("refit", job::run, properties.refit().pollInterval(), clock);
    }
}
