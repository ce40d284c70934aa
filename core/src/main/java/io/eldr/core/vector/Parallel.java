package io.eldr.core.vector;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Spreads independent pieces of work over a few threads. Every piece must write only what belongs to its own index; then
 * the result is the same, bit for bit, however many threads there are.
 *
 * <p>The calling thread always takes part and never waits for a thread that has not begun, so a busy executor slows the
 * work down but cannot block it, and calls may be nested. Interrupting the calling thread ends the work between two pieces
 * with a {@link CancellationException}; the thread stays interrupted.
 */
public final class Parallel {
    /** One piece of work. */
    @FunctionalInterface
    public interface Task {
        /**
         * @param lane which of the threads runs it, 0 to lanes-1: two pieces that run at the same time have different
         *     lanes, so that scratch memory can be kept by lane
         * @param index which piece it is
         */
        void run(int lane, int index);
    }

    private static final Parallel SEQUENTIAL = new Parallel(Runnable::run, 1);

    private final Executor executor;
    private final int lanes;

    private Parallel(Executor executor, int lanes) {
        this.executor = executor;
        this.lanes = lanes;
    }

    /** Everything on the calling thread. */
    public static Parallel sequential() {
        return SEQUENTIAL;
    }

    /**
     * On the calling thread and at most {@code lanes - 1} threads of an executor.
     *
     * @param executor must not run tasks on the thread that hands them in
     */
    public static Parallel on(Executor executor, int lanes) {
        if (lanes < 1) {
            throw new IllegalArgumentException("lanes must be at least 1 but are " + lanes);
        }
        return new Parallel(executor, lanes);
    }

    public int lanes() {
        return lanes;
    }

    /** Runs the pieces 0 to {@code count - 1}; when it returns all are done. The first failure is thrown again here. */
    public void forEach(int count, Task task) {
        Work work = new Work(count, task);
        List<Helper> helpers = new ArrayList<>();
        try {
            for (int lane = 1; lane < Math.min(lanes, count); lane++) {
                Helper helper = new Helper(work, lane);
                executor.execute(helper);
                helpers.add(helper);
            }
            work.runLane(0);
        } finally {
            helpers.forEach(Helper::dismiss);
        }
        work.rethrow();
    }

    /** Runs {@code [from, to)} ranges that together make up 0 to {@code count - 1}, each of at most {@code size}. */
    public void forEachRange(int count, int size, RangeTask task) {
        int ranges = Math.ceilDiv(count, size);
        forEach(ranges, (lane, range) -> task.run(lane, range * size, (int) Math.min(count, (range + 1L) * size)));
    }

    /** A piece of work on a range of indices. */
    @FunctionalInterface
    public interface RangeTask {
        void run(int lane, int from, int to);
    }

    /** The pieces of one call: whichever lane is free takes the next. */
    private static final class Work {
        private final int count;
        private final Task task;
        private final AtomicInteger next = new AtomicInteger();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

        Work(int count, Task task) {
            this.count = count;
            this.task = task;
        }

        void runLane(int lane) {
            try {
                for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                    if (lane == 0 && Thread.currentThread().isInterrupted()) {
                        throw new CancellationException("interrupted");
                    }
                    task.run(lane, i);
                }
            } catch (Throwable t) {
                failure.compareAndSet(null, t);
                next.set(count);
            }
        }

        void rethrow() {
            switch (failure.get()) {
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                case null, default -> {}
            }
        }
    }

    /** One lane on a thread of the executor. */
    private static final class Helper implements Runnable {
        private final Work work;
        private final int lane;
        private final AtomicBoolean taken = new AtomicBoolean();
        private final CountDownLatch done = new CountDownLatch(1);

        Helper(Work work, int lane) {
            this.work = work;
            this.lane = lane;
        }

        @Override
        public void run() {
            if (taken.compareAndSet(false, true)) {
                work.runLane(lane);
                done.countDown();
            }
        }

        /** Keeps it from beginning, or waits for it to end. */
        void dismiss() {
            if (taken.compareAndSet(false, true)) {
                return;
            }
            boolean interrupted = false;
            while (true) {
                try {
                    done.await();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
