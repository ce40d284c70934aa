package io.eldr.core.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParallelTest {
    @ParameterizedTest(name = "{0} lanes")
    @ValueSource(ints = {1, 2, 3, 8})
    void runsEveryPieceOnceAndEachLaneOnOneThreadAtATime(int lanes) {
        try (ExecutorService executor = Executors.newFixedThreadPool(lanes)) {
            AtomicIntegerArray runs = new AtomicIntegerArray(1_000);
            AtomicIntegerArray busy = new AtomicIntegerArray(lanes);
            AtomicInteger clashes = new AtomicInteger();

            Parallel.on(executor, lanes).forEach(1_000, (lane, index) -> {
                if (busy.getAndIncrement(lane) != 0) {
                    clashes.incrementAndGet();
                }
                runs.incrementAndGet(index);
                busy.decrementAndGet(lane);
            });

            for (int i = 0; i < 1_000; i++) {
                assertThat(runs.get(i)).isEqualTo(1);
            }
            assertThat(clashes).hasValue(0);
        }
    }

    @Test
    void reallyRunsTwoPiecesAtTheSameTime() {
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            CountDownLatch both = new CountDownLatch(2);

            Parallel.on(executor, 2).forEach(2, (lane, index) -> {
                both.countDown();
                awaitQuietly(both);
            });

            assertThat(both.getCount()).isZero();
        }
    }

    @Test
    void cutsRangesThatCoverEverything() {
        List<String> ranges = new ArrayList<>();

        Parallel.sequential().forEachRange(10, 4, (lane, from, to) -> ranges.add(from + "-" + to));
        Parallel.sequential().forEachRange(0, 4, (lane, from, to) -> ranges.add("none"));

        assertThat(ranges).containsExactly("0-4", "4-8", "8-10");
    }

    @Test
    void isNotBlockedByAnExecutorThatNeverRunsAnything() {
        Executor dead = task -> {};
        AtomicInteger runs = new AtomicInteger();

        Parallel.on(dead, 4).forEach(100, (lane, index) -> runs.incrementAndGet());

        assertThat(runs).hasValue(100);
    }

    @Test
    void mayBeNestedOnTheSameThreads() {
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            Parallel parallel = Parallel.on(executor, 2);
            AtomicInteger runs = new AtomicInteger();

            parallel.forEach(8, (outer, i) -> parallel.forEach(8, (inner, j) -> runs.incrementAndGet()));

            assertThat(runs).hasValue(64);
        }
    }

    @Test
    void throwsAPiecesFailureAfterAllThreadsHaveStopped() {
        try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
            AtomicInteger running = new AtomicInteger();

            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> Parallel.on(executor, 3).forEach(1_000, (lane, index) -> {
                        running.incrementAndGet();
                        try {
                            if (index == 20) {
                                throw new IllegalStateException("piece 20");
                            }
                        } finally {
                            running.decrementAndGet();
                        }
                    }))
                    .withMessage("piece 20");

            assertThat(running).hasValue(0);
        }
    }

    @Test
    void endsEarlyWhenTheCallingThreadIsInterrupted() {
        AtomicInteger runs = new AtomicInteger();

        assertThatExceptionOfType(CancellationException.class)
                .isThrownBy(() -> Parallel.sequential().forEach(100, (lane, index) -> {
                    runs.incrementAndGet();
                    if (index == 4) {
                        Thread.currentThread().interrupt();
                    }
                }));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(runs).hasValue(5);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
