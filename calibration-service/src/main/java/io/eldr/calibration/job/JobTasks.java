package io.eldr.calibration.job;

import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.ExecutionOperations;
import com.github.kagkarlsson.scheduler.task.helper.CustomTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Work as persistent tasks: an instance is a row's number, and the row is the truth. An execution whose process is dead is
 * revived; one that failed for want of the registry comes again.
 */
public final class JobTasks {
    private JobTasks() {}

    /** What the scheduler has to know of a piece. */
    public enum Ending {
        OVER,
        NOT_ITS_TURN
    }

    /** Works on the row of a number. */
    @FunctionalInterface
    public interface Work {
        Ending run(long row);
    }

    /** @param later how long what is not its turn waits */
    public static CustomTask<Void> custom(String name, Work work, Duration later, InstantSource clock) {
        return Tasks.custom(name, Void.class)
                .onDeadExecutionRevive()
                .onFailure((complete, operations) ->
                        operations.reschedule(complete, clock.instant().plus(later)))
                .execute((instance, context) -> completion(work.run(Long.parseLong(instance.getId())), later, clock));
    }

    private static CompletionHandler<Void> completion(Ending ending, Duration later, InstantSource clock) {
        return switch (ending) {
            case OVER -> new CompletionHandler.OnCompleteRemove<>();
            case NOT_ITS_TURN ->
                (ExecutionComplete complete, ExecutionOperations<Void> operations) ->
                        operations.reschedule(complete, clock.instant().plus(later));
        };
    }
}
