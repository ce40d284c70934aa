package io.eldr.calibration.sample;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.jdbc.PostgreSqlJdbcCustomization;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import io.eldr.calibration.CalibrationProperties;
import io.eldr.calibration.schema.RegistryDependent;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Runs the deletion of samples again and again, on one replica at a time. It has a scheduler and a table of its own, so
 * that it neither waits for refits nor holds them up.
 */
@Component
class RetentionSchedule implements RegistryDependent, SmartLifecycle {
    private static final String TABLE = "housekeeping_tasks";
    private static final Duration LONGEST_POLL = Duration.ofSeconds(10);
    /** Then a running deletion is interrupted; it goes on at the next start. */
    private static final Duration STOP_WAIT = Duration.ofSeconds(1);

    private final DataSource database;
    private final RecurringTask<Void> task;
    private final Duration poll;

    private boolean running;
    private Optional<Scheduler> scheduler = Optional.empty();

    RetentionSchedule(DataSource database, RetentionRun run, CalibrationProperties properties) {
        this.database = database;
        Duration interval = properties.samples().retentionInterval();
        this.task =
                Tasks.recurring("sample-retention", FixedDelay.of(interval)).execute((instance, context) -> run.run());
        this.poll = interval.compareTo(LONGEST_POLL) < 0 ? interval : LONGEST_POLL;
    }

    @Override
    public synchronized void registryIsThere() {
        if (running && scheduler.isEmpty()) {
            Scheduler started = Scheduler.create(database)
                    .startTasks(task)
                    .tableName(TABLE)
                    .jdbcCustomization(new PostgreSqlJdbcCustomization(false, false))
                    // Two processes on one machine are two replicas.
                    .schedulerName(new SchedulerName.Fixed("calibration-" + UUID.randomUUID()))
                    .threads(1)
                    .pollingInterval(poll)
                    .shutdownMaxWait(STOP_WAIT)
                    .build();
            started.start();
            scheduler = Optional.of(started);
        }
    }

    @Override
    public synchronized void start() {
        running = true;
    }

    @Override
    public synchronized void stop() {
        running = false;
        scheduler.ifPresent(Scheduler::stop);
        scheduler = Optional.empty();
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }

    /** Started before the monitor of the registry, which starts the executing of tasks. */
    @Override
    public int getPhase() {
        return -1;
    }
}
