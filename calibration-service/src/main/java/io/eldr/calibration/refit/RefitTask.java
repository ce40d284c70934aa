package io.eldr.calibration.refit;

import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.ExecutionOperations;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.CustomTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.eldr.calibration.CalibrationProperties;
import java.time.Duration;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A refit as a persistent task: its instance is the run's number, and the run's row is the truth. An execution whose process
 * is dead is revived; one that failed for want of the registry comes again.
 */
@Configuration(proxyBeanMethods = false)
class RefitTask {
    private static final String NAME = "refit";

    @Bean
    CustomTask<Void> refit(RefitJob job, CalibrationProperties properties, InstantSource clock) {
        Duration later = properties.refit().pollInterval();
        return Tasks.custom(NAME, Void.class)
                .onDeadExecutionRevive()
                .onFailure((complete, operations) ->
                        operations.reschedule(complete, clock.instant().plus(later)))
                .execute((instance, context) -> completion(job.run(runOf(instance)), later, clock));
    }

    private static long runOf(TaskInstance<Void> instance) {
        return Long.parseLong(instance.getId());
    }

    private static CompletionHandler<Void> completion(RefitJob.Ending ending, Duration later, InstantSource clock) {
        return switch (ending) {
            case OVER -> new CompletionHandler.OnCompleteRemove<>();
            case NOT_ITS_TURN ->
                (ExecutionComplete complete, ExecutionOperations<Void> operations) ->
                        operations.reschedule(complete, clock.instant().plus(later));
        };
    }
}
