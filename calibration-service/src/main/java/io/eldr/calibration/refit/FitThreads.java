package io.eldr.calibration.refit;

import io.eldr.core.vector.Parallel;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.stereotype.Component;

/** The threads of the core's calculations: all processors. */
@Component
public class FitThreads implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool(
            Thread.ofPlatform().name("fit-", 0).daemon().factory());

    public Parallel parallel() {
        return Parallel.on(threads, Runtime.getRuntime().availableProcessors());
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
