package io.eldr.calibration.refit;

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
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The refits that wait, kept in the registry so that any replica can take the next one. */
@Component
class RefitQueue implements RegistryDependent, SmartLifecycle {
    private final CustomTask<Void> task;
    private final SchedulerClient client;
    private final Scheduler scheduler;
    private final RefitStop stop;
    private final InstantSource clock;

    private boolean running;
    private boolean executing;

    RefitQueue(
            DataSource database,
            CustomTask<Void> refit,
            RefitStop stop,
            InstantSource clock,
            CalibrationProperties properties) {
        this.task = refit;
        this.stop = stop;
        this.clock = clock;
        this.client = SchedulerClient.Builder.create(new TransactionAwareDataSourceProxy(database), refit)
                .jdbcCustomization(Schedulers.POSTGRES)
                .build();
        this.scheduler = Schedulers.builder(database, List.of(refit), clock, properties.refit())
                .threads(properties.refit().threads())
                .build();
    }

    /** Adds a run in the transaction that makes its row. */
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
