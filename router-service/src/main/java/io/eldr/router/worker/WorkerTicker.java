package io.eldr.router.worker;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Does what is due with the workers as time goes by, and takes in changed standings, on a thread of its own: whoever closes
 * a reservation shall not build snapshots.
 */
final class WorkerTicker implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(WorkerTicker.class);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(10);
    private static final int TICKS_IN_AN_INTERVAL = 4;

    private final Breakers breakers;
    private final EngineScraper scraper;
    private final Runnable onChange;
    private final Duration pause;
    private final Semaphore changes = new Semaphore(0);
    private volatile Thread thread = Thread.ofVirtual().unstarted(() -> {});

    /**
     * @param onChange takes in standings that changed
     * @param scrapeInterval how often engines are asked
     */
    WorkerTicker(Breakers breakers, EngineScraper scraper, Runnable onChange, Duration scrapeInterval) {
        this.breakers = breakers;
        this.scraper = scraper;
        this.onChange = onChange;
        Duration wanted = scrapeInterval.dividedBy(TICKS_IN_AN_INTERVAL);
        this.pause = wanted.compareTo(LONGEST_PAUSE) > 0
                ? LONGEST_PAUSE
                : wanted.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : wanted;
        breakers.onChange(changes::release);
    }

    @Override
    public void start() {
        thread = Thread.ofVirtual().name("worker-ticker").start(this::run);
    }

    @Override
    public void stop() {
        thread.interrupt();
    }

    @Override
    public boolean isRunning() {
        return thread.isAlive();
    }

    private void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                boolean changed = changes.tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS);
                tick(changed);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void tick(boolean changed) {
        try {
            if (changed) {
                changes.drainPermits();
                onChange.run();
            }
            breakers.tick();
            scraper.takeBackOld();
        } catch (RuntimeException e) {
            log.error("What is due with the workers could not be done; trying again", e);
        }
    }
}
