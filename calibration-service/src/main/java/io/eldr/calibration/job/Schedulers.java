package io.eldr.calibration.job;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.jdbc.JdbcCustomization;
import com.github.kagkarlsson.scheduler.jdbc.PostgreSqlJdbcCustomization;
import com.github.kagkarlsson.scheduler.task.Task;
import io.eldr.calibration.CalibrationProperties;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** What the schedulers of this service have in common. */
public final class Schedulers {
    public static final JdbcCustomization POSTGRES = new PostgreSqlJdbcCustomization(false, false);
    /** Then what runs is interrupted. */
    private static final Duration STOP_WAIT = Duration.ofSeconds(1);
    /** Each scheduler meets the tasks of the others, which it does not know, and leaves them alone. */
    private static final Duration NEVER = Duration.ofDays(36_500);

    private Schedulers() {}

    /** @param clock one that all replicas share: by it, one that misses its heartbeats is taken for dead */
    public static SchedulerBuilder builder(
            DataSource database, List<Task<?>> tasks, InstantSource clock, CalibrationProperties.Refit settings) {
        return Scheduler.create(database, tasks)
                .jdbcCustomization(POSTGRES)
                // Two processes on one machine are two replicas.
                .schedulerName(new SchedulerName.Fixed("calibration-" + UUID.randomUUID()))
                .clock(clock::instant)
                .pollingInterval(settings.pollInterval())
                .heartbeatInterval(settings.heartbeatInterval())
                .missedHeartbeatsLimit(CalibrationProperties.Refit.MISSED_HEARTBEATS)
                .deleteUnresolvedAfter(NEVER)
                .shutdownMaxWait(STOP_WAIT);
    }
}
