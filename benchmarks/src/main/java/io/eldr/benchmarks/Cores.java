package io.eldr.benchmarks;

import io.eldr.core.vector.Parallel;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** Two threads, whatever the machine has: the figures are for two cores. */
final class Cores {
    private static final int USED = 2;

    private Cores() {}

    static <T> T use(Function<Parallel, T> work) {
        try (ExecutorService executor = Executors.newFixedThreadPool(USED)) {
            return work.apply(Parallel.on(executor, USED));
        }
    }
}
