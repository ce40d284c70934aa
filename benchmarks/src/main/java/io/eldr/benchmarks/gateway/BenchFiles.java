package io.eldr.benchmarks.gateway;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** What every process of the benchmark needs. */
final class BenchFiles {
    private BenchFiles() {}

    /** The executable jar of a module. */
    static Path jar(Path home, String module) {
        Path jar = home.resolve(module).resolve("target").resolve("eldr-" + module + ".jar");
        if (!Files.isRegularFile(jar)) {
            throw new IllegalStateException("there is no " + jar + "; ./eldr bench gateway builds it");
        }
        return jar;
    }

    static void stop(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
