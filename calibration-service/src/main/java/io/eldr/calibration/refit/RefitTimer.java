package io.eldr.calibration.refit;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import io.eldr.calibration.CalibrationProperties;
import io.eldr.calibration.job.Schedulers;
import io.eldr.calibration.schema.RegistryDependent;
import io.eldr.db.pool.Pool;
import io.eldr.db.pool.PoolRepository;
import java.time.InstantSource;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Looks every few seconds, on one replica at a time, which pools are to be refitted. It has a thread of its own, so that no
 * running fit keeps it from looking.
 */
@Component
class RefitTimer implements RegistryDependent, SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(RefitTimer.class);
    private static final String NAME = "refit-schedules";

    private final PoolRepository pools;
    private final ScheduledRefits refits;
    private final Scheduler scheduler;

    private boolean running;
    private boolean executing;

    RefitTimer(
            DataSource database,
            PoolRepository pools,
            ScheduledRefits refits,
            InstantSource clock,
            CalibrationProperties properties) {
        this.pools = pools;
        this.refits = refits;
        RecurringTask<Void> task = Tasks.recurring(
                        NAME, FixedDelay.of(properties.refit().scheduleInterval()))
                .execute((instance, context) -> look());
        this.scheduler = Schedulers.builder(database, List.of(), clock, properties.refit())
                .startTasks(task)
                .threads(1)
                .build();
    }

    private void look() {
        for (Pool pool : pools.findAll()) {
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
            try {
                refits.look(pool.name());
            } catch (RuntimeException e) {
                // The other pools are looked at, and this one again soon.
                log.warn("Whether pool {} is to be refitted could not be seen: {}", pool.name(), e.toString());
            }
        }
    }

    @Override
    public synchronized void registryIsThere() {
        if (running && !executing) {
            scheduler.start();
            executing = true;
        }
    }

    @Override
    public synchronized void start() {
        running = true;
    }

    @Override
    public synchronized void stop() {
        running = false;
        if (executing) {
            scheduler.stop();
            executing = false;
        }
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
