package io.eldr.admin.live;

import io.eldr.admin.AdminProperties;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Gathers at each interval, on a thread of its own. Ends before the server does, so that streams end too. */
@Component
final class LiveTicker implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(LiveTicker.class);

    private final Gatherer gatherer;
    private final LiveFeed feed;
    private final Duration interval;
    private volatile boolean running;

    LiveTicker(Gatherer gatherer, LiveFeed feed, AdminProperties properties) {
        this.gatherer = gatherer;
        this.feed = feed;
        this.interval = properties.live().interval();
    }

    @Override
    public void start() {
        running = true;
        Thread.ofVirtual().name("live").start(this::run);
    }

    private void run() {
        long next = System.nanoTime();
        for (long sequence = 1; running; sequence++) {
            try {
                feed.publish(gatherer.gather(sequence));
            } catch (RuntimeException e) {
                log.error("The live state could not be gathered", e);
            }
            next = Math.max(next + interval.toNanos(), System.nanoTime());
            try {
                Thread.sleep(Duration.ofNanos(Math.max(0, next - System.nanoTime())));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    @Override
    public void stop() {
        running = false;
        feed.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
