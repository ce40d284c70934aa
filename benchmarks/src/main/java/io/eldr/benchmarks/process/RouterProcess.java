package io.eldr.benchmarks.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A router in a JVM of its own, with the options that {@code ./eldr up} gives it. There is no Postgres: it serves the last
 * good state that lies in its folder.
 */
public final class RouterProcess implements AutoCloseable {
    private static final Duration LONGEST_START = Duration.ofMinutes(2);
    private static final long LOOK_MILLIS = 100;
    /** There are two: one for the API and one for management. */
    private static final Pattern STARTED = Pattern.compile("Netty started on port (\\d+)");

    private final Process process;
    private final int port;

    private RouterProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Whether the router serves what is to be asked of it, at a port that may be another one of its. */
    @FunctionalInterface
    public interface Probe {
        boolean serves(int port) throws IOException;
    }

    /** The file for the state that it is to serve. */
    public static Path state(Path folder) {
        return folder.resolve("last-good.eldr");
    }

    /**
     * Starts one and waits until it serves.
     *
     * @param home the checkout, whose jar is run
     * @param folder where its state is, and its log goes
     * @param settings beyond those that every measured router has
     */
    public static RouterProcess start(Path home, Path folder, List<String> settings, Probe probe)
            throws IOException, InterruptedException {
        Path log = folder.resolve("router.log");
        Process process = new ProcessBuilder(command(home, folder, settings))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            long deadline = System.nanoTime() + LONGEST_START.toNanos();
            while (System.nanoTime() < deadline && process.isAlive()) {
                Matcher started = STARTED.matcher(Files.readString(log));
                while (started.find()) {
                    int found = Integer.parseInt(started.group(1));
                    if (probe.serves(found)) {
                        return new RouterProcess(process, found);
                    }
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
            throw new IllegalStateException("the router does not start:\n" + Files.readString(log));
        } catch (IOException | InterruptedException | RuntimeException e) {
            BenchFiles.stop(process);
            throw e;
        }
    }

    private static List<String> command(Path home, Path folder, List<String> settings) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // As ./eldr up starts it.
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "--add-modules=jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-Xms96m",
                "-Xmx208m",
                "-XX:+UseCompactObjectHeaders",
                "-XX:TrimNativeHeapInterval=5000",
                "-XX:MaxDirectMemorySize=128m",
                "-jar",
                BenchFiles.jar(home, "router-service").toString(),
                "--eldr.supervised=true",
                "--server.address=127.0.0.1",
                "--server.port=0",
                "--management.server.address=127.0.0.1",
                "--management.server.port=0",
                "--spring.datasource.url=jdbc:postgresql://127.0.0.1:1/none",
                "--eldr.router.data-dir=" + folder));
        command.addAll(settings);
        return command;
    }

    public int port() {
        return port;
    }

    public ProcessFigures figures() {
        return new ProcessFigures(process.toHandle());
    }

    @Override
    public void close() {
        BenchFiles.stop(process);
    }
}
