package io.eldr.benchmarks.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** What every measured process needs. */
public final class BenchFiles {
    private BenchFiles() {}

    /** The executable jar of a module. */
    public static Path jar(Path home, String module) {
        Path jar = home.resolve(module).resolve("target").resolve("eldr-" + module + ".jar");
        if (!Files.isRegularFile(jar)) {
            throw new IllegalStateException("there is no " + jar + "; ./eldr bench builds it");
        }
        return jar;
    }

    public static void stop(Process process) {
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
