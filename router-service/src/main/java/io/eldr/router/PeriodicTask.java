package io.eldr.router;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Does something again and again on a virtual thread of its own, whatever fails, from the service's start to its end. */
public final class PeriodicTask implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(PeriodicTask.class);

    private final String name;
    private final Optional<Loop> loop;
    private volatile Thread thread = Thread.ofVirtual().unstarted(() -> {});

    private PeriodicTask(String name, Optional<Loop> loop) {
        this.name = name;
        this.loop = loop;
    }

    /** What is done; it may be interrupted. */
    @FunctionalInterface
    public interface Task {
        void run() throws InterruptedException;
    }

    private record Loop(Duration interval, RandomGenerator random, Task task) {}

    /** @param random spreads the times between 0.9 and 1.1 of the interval, so that routers do not keep step */
    public static PeriodicTask every(String name, Duration interval, RandomGenerator random, Task task) {
        return new PeriodicTask(name, Optional.of(new Loop(interval, random, task)));
    }

    /** Does nothing. */
    public static PeriodicTask never(String name) {
        return new PeriodicTask(name, Optional.empty());
    }

    @Override
    public void start() {
        loop.ifPresent(task -> thread = Thread.ofVirtual().name(name).start(() -> run(task)));
    }

    @Override
    public void stop() {
        thread.interrupt();
    }

    @Override
    public boolean isRunning() {
        return thread.isAlive();
    }

    private void run(Loop task) {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Thread.sleep((long) (task.interval().toMillis() * task.random().nextDouble(0.9, 1.1)));
                once(task);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void once(Loop task) throws InterruptedException {
        try {
            task.task().run();
        } catch (RuntimeException e) {
            log.error("{} failed; trying again", name, e);
        }
    }
}
