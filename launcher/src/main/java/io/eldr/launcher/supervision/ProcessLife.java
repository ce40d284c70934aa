package io.eldr.launcher.supervision;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The life of a child that is a process of ours.
 *
 * @param process the process
 * @param grace how long it may take to stop by itself when asked to; with zero it is not asked
 */
public record ProcessLife(Process process, Duration grace) implements Child.Running {

    @Override
    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public String awaitEnd() throws InterruptedException {
        return "exit code " + process.waitFor();
    }

    @Override
    public void stop() {
        try {
            if (grace.isPositive()) {
                process.destroy();
                if (process.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
            process.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
