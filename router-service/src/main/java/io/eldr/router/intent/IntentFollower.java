package io.eldr.router.intent;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the router at what is wanted: reads intent when told that it changed, and at least every poll interval, hands it
 * on and reports what the router runs. One thread of its own does all of it, so that what is applied is never older than
 * what was applied before.
 */
public final class IntentFollower implements AutoCloseable {

    /** What follows intent. Called on the follower's thread only. */
    public interface Subject {

        /** Makes the router do what is wanted, as far as it can. */
        void apply(Intent intent);

        /** What it runs now. */
        List<PoolStatus> statuses();

        /** The workers it sees now. */
        Collection<RouterReports.ObservedWorker> observed();
    }

    private static final Logger log = LoggerFactory.getLogger(IntentFollower.class);

    /** How often unchanged workers are reported anew. */
    private static final Duration OBSERVATION_INTERVAL = Duration.ofSeconds(15);

    private enum Link {
        NOT_TRIED,
        UP,
        DOWN
    }

    private final IntentSource source;
    private final RouterReports reports;
    private final Subject subject;
    private final HeartbeatObserver replicas;
    private final Duration pollInterval;
    private final InstantSource clock;
    private final Semaphore changes = new Semaphore(0);
    private final Thread thread;
    private volatile boolean closed;
    private volatile Link reading = Link.NOT_TRIED;
    private Link reporting = Link.NOT_TRIED;
    private List<PoolStatus> reported = List.of();
    private List<RouterReports.ObservedWorker> observed = List.of();
    private Instant observedAt = Instant.EPOCH;

    /** @param replicas is told of the routers' signs of life after each report */
    public IntentFollower(
            IntentSource source,
            RouterReports reports,
            Subject subject,
            HeartbeatObserver replicas,
            Duration pollInterval,
            InstantSource clock) {
        this.source = source;
        this.reports = reports;
        this.subject = subject;
        this.replicas = replicas;
        this.pollInterval = pollInterval;
        this.clock = clock;
        this.thread = Thread.ofVirtual().name("intent-follower").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Intent may have changed: read it now instead of at the next poll. */
    public void changed() {
        changes.release();
    }

    /** Whether the last attempt to follow intent went well. Reports may fail meanwhile, such as on a standby. */
    public boolean connected() {
        return reading == Link.UP;
    }

    /** Stops in order and withdraws this router's rows if Postgres is there. */
    @Override
    public void close() {
        closed = true;
        changes.release();
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (connected()) {
            try {
                reports.withdraw();
            } catch (RuntimeException e) {
                log.debug("This router's rows stay behind", e);
            }
        }
    }

    private void run() {
        while (!closed) {
            follow();
            if (connected()) {
                report();
            }
            try {
                if (changes.tryAcquire(pollInterval.toMillis(), TimeUnit.MILLISECONDS)) {
                    // Many changes at once are one reason to read.
                    changes.drainPermits();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void follow() {
        try {
            subject.apply(source.read());
            if (reading != Link.UP) {
                log.info("Following intent from Postgres");
                reading = Link.UP;
            }
        } catch (IntentUnavailableException e) {
            if (reading != Link.DOWN) {
                log.warn("Postgres is away, the router goes on with what it knows: {}", e.getMessage());
            }
            down();
        } catch (RuntimeException e) {
            if (reading != Link.DOWN) {
                log.error("Intent could not be followed; trying again", e);
            }
            down();
        }
    }

    private void down() {
        reading = Link.DOWN;
        // What Postgres knows of this router once it is back is not known.
        reporting = Link.DOWN;
    }

    private void report() {
        try {
            report(reporting != Link.UP);
            if (reporting != Link.UP) {
                log.info("Reporting to Postgres");
                reporting = Link.UP;
            }
        } catch (IntentUnavailableException e) {
            if (reporting != Link.DOWN) {
                log.warn("Postgres takes no reports, intent is followed all the same: {}", e.getMessage());
            }
            reporting = Link.DOWN;
        } catch (RuntimeException e) {
            if (reporting != Link.DOWN) {
                log.error("Reports could not be made; trying again", e);
            }
            reporting = Link.DOWN;
        }
    }

    private void report(boolean all) {
        Instant now = clock.instant();
        reports.heartbeat(now);
        replicas.seen(reports.heartbeats());
        List<PoolStatus> statuses = List.copyOf(subject.statuses());
        if (all || !statuses.equals(reported)) {
            reports.statuses(statuses, now);
            reported = statuses;
        }
        List<RouterReports.ObservedWorker> workers = List.copyOf(subject.observed());
        if (all || !workers.equals(observed) || !isRecent(observedAt, now)) {
            reports.observed(workers, now);
            observed = workers;
            observedAt = now;
        }
    }

    /** False for what lies ahead: then the clock was set back. */
    private static boolean isRecent(Instant then, Instant now) {
        return !then.isAfter(now) && now.isBefore(then.plus(OBSERVATION_INTERVAL));
    }
}
