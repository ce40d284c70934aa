package io.eldr.engine.decode;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** How model time passes: as fast as real time, slower, faster, or in no time at all. */
public final class ModelTime implements AutoCloseable {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int THREADS = 2;

    /** So many tasks of no duration follow one another on a thread before others have their turn. */
    private static final int TURN = 64;

    private final double scale;
    private final ScheduledThreadPoolExecutor timer;
    private final long start = System.nanoTime();

    /** @param scale real seconds for each second of the model; 0 lets everything happen at once */
    public ModelTime(double scale) {
        if (!(scale >= 0) || scale > 1_000) {
            throw new IllegalArgumentException("time scale must be between 0 and 1000 but is " + scale);
        }
        this.scale = scale;
        this.timer = new ScheduledThreadPoolExecutor(THREADS, TimerThread::new);
        this.timer.setRemoveOnCancelPolicy(true);
    }

    /** Runs a task when so much model time has passed. */
    public void after(double millis, Runnable task) {
        if (scale == 0
                && Thread.currentThread() instanceof TimerThread thread
                && thread.owner() == this
                && thread.following.size() < TURN) {
            thread.following.addLast(task);
        } else {
            schedule((long) (millis * scale * NANOS_PER_MILLI), task);
        }
    }

    /** Runs a task when so much real time has passed. */
    public Timer afterReal(Duration delay, Runnable task) {
        return schedule(delay.toNanos(), task);
    }

    /** Seconds of the model since the start; real ones where it takes no time. */
    public double nowSeconds() {
        return (System.nanoTime() - start) / 1e9 / (scale == 0 ? 1 : scale);
    }

    private Timer schedule(long nanos, Runnable task) {
        try {
            var future = timer.schedule(() -> run(task), nanos, TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException e) {
            // Closed: nothing happens any more.
            return () -> {};
        }
    }

    /** Runs a task and, where time does not pass, what follows from it. */
    private void run(Runnable task) {
        Deque<Runnable> following =
                Thread.currentThread() instanceof TimerThread thread ? thread.following : new ArrayDeque<>();
        try {
            task.run();
            for (int i = 0; i < TURN && !following.isEmpty(); i++) {
                following.removeFirst().run();
            }
        } finally {
            following.forEach(left -> schedule(0, left));
            following.clear();
        }
    }

    /** A thread of the timer, with what it does next without the detour over the timer. */
    private final class TimerThread extends Thread {
        private final Deque<Runnable> following = new ArrayDeque<>();

        TimerThread(Runnable work) {
            super(work, "model-time");
            setDaemon(true);
        }

        ModelTime owner() {
            return ModelTime.this;
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    /** Something that is to happen. */
    @FunctionalInterface
    public interface Timer {
        /** It is not to happen; no matter if it did. */
        void cancel();
    }
}
