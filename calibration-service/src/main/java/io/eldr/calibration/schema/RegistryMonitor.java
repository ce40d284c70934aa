package io.eldr.calibration.schema;

import io.eldr.calibration.CalibrationProperties;
import io.eldr.db.schema.Schema;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Asks again and again whether Postgres answers and the schema is there, so that nothing else has to ask: questions about
 * health and calls while the registry is away are answered at once. With each answer it sets the clock. It never gives up;
 * who needs the registry is started when it is there for the first time.
 */
@Component
public class RegistryMonitor implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(RegistryMonitor.class);

    private final RegistryProbe probe;
    private final Schema schema;
    private final RegistryClock clock;
    private final Duration interval;
    private final List<RegistryDependent> dependents;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("registry-monitor").daemon().factory());

    private volatile RegistryState state = RegistryState.UNKNOWN;
    private volatile boolean migrated;
    private volatile boolean running;

    RegistryMonitor(
            DataSource database,
            RegistryClock clock,
            CalibrationProperties properties,
            List<RegistryDependent> dependents) {
        this.clock = clock;
        this.probe = RegistryProbe.beside(database);
        this.schema = new Schema(probe.direct());
        this.interval = properties.schema().checkInterval();
        this.dependents = List.copyOf(dependents);
    }

    public RegistryState state() {
        return state;
    }

    @Override
    public void start() {
        running = true;
        // So that the first callers already meet the true state.
        check();
        var _ = thread.scheduleWithFixedDelay(
                this::check, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void check() {
        try {
            RegistryState now = look();
            if (now != state) {
                log(now);
                state = now;
            }
        } catch (RuntimeException e) {
            log.error("The registry could not be checked", e);
        }
    }

    private RegistryState look() {
        long asked = clock.nanos();
        Optional<Instant> time = probe.time();
        if (time.isEmpty()) {
            return RegistryState.AWAY;
        }
        clock.read(time.get(), asked);
        if (!migrated && !schema.isReady()) {
            return RegistryState.NOT_MIGRATED;
        }
        if (!migrated) {
            dependents.forEach(RegistryDependent::registryIsThere);
            // Schemas only go forward, so this is asked once.
            migrated = true;
        }
        return RegistryState.READY;
    }

    private static void log(RegistryState now) {
        switch (now) {
            case READY -> log.info("The registry is there");
            case NOT_MIGRATED -> log.warn("Waiting for the schema: run this jar with the argument migrate");
            case AWAY -> log.warn("Postgres does not answer: calls are refused with 503 until it does");
            case UNKNOWN -> log.info("The state of the registry is not known yet");
        }
    }

    @Override
    public void stop() {
        running = false;
        // In the thread that uses it.
        thread.execute(probe::close);
        thread.shutdown();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Before the web server. */
    @Override
    public int getPhase() {
        return 0;
    }
}
