package io.eldr.calibration.job;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.helper.CustomTask;
import io.eldr.calibration.CalibrationProperties;
import io.eldr.calibration.schema.RegistryDependent;
import java.time.InstantSource;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Work that waits, kept in the registry so that any replica can take the next piece. */
public abstract class JobQueue implements RegistryDependent, SmartLifecycle {
    private final CustomTask<Void> task;
    private final SchedulerClient client;
    private final Scheduler scheduler;
    private final JobStop stop;
    private final InstantSource clock;

    private boolean running;
    private boolean executing;

    /**
     * @param task its instances are the numbers of rows
     * @param threads how many pieces this replica works on at once
     */
    protected JobQueue(
            DataSource database,
            CustomTask<Void> task,
            int threads,
            JobStop stop,
            InstantSource clock,
            CalibrationProperties properties) {
        this.task = task;
        this.stop = stop;
        this.clock = clock;
        this.client = SchedulerClient.Builder.create(new TransactionAwareDataSourceProxy(database), task)
                .jdbcCustomization(Schedulers.POSTGRES)
                .build();
        this.scheduler = Schedulers.builder(database, List.of(task), clock, properties.refit())
                .threads(threads)
                .build();
    }

    /** Adds a piece in the transaction that makes its row. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void add(long run) {
        client.scheduleIfNotExists(task.instance(Long.toString(run)), clock.instant());
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                wake();
            }
        });
    }

    private synchronized void wake() {
        if (executing) {
            scheduler.triggerCheckForDueExecutions();
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
    public void stop() {
        stop.request();
        synchronized (this) {
            running = false;
            if (executing) {
                scheduler.stop();
                executing = false;
            }
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
