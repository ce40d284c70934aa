package io.eldr.benchmarks.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The router with its gateway in a JVM of its own, with the options that {@code ./eldr up} gives it. There is no Postgres: it
 * serves the last good state that was put on its disk.
 */
final class EldrGateway implements Server {
    private static final Duration LONGEST_START = Duration.ofMinutes(2);
    private static final long LOOK_MILLIS = 100;
    /** There are two: one for the API and one for management. */
    private static final Pattern STARTED = Pattern.compile("Netty started on port (\\d+)");

    private final Process process;
    private final int port;

    private EldrGateway(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts it and waits until it serves.
     *
     * @param home the checkout, whose jar is run
     * @param folder where its state and its log go
     */
    static EldrGateway start(Path home, Path folder, Engines engines) throws IOException {
        LastGoodState.write(folder.resolve("last-good.eldr"), engines);
        Path log = folder.resolve("router.log");
        List<String> command = List.of(
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
                "--eldr.router.data-dir=" + folder);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        long deadline = System.nanoTime() + LONGEST_START.toNanos();
        while (System.nanoTime() < deadline && process.isAlive()) {
            Matcher started = STARTED.matcher(Files.readString(log));
            while (started.find()) {
                int found = Integer.parseInt(started.group(1));
                if (serves(found)) {
                    return new EldrGateway(process, found);
                }
            }
            Engines.pause(LOOK_MILLIS);
        }
        String said = Files.readString(log);
        BenchFiles.stop(process);
        throw new IllegalStateException("the router does not start:\n" + said);
    }

    private static boolean serves(int port) throws IOException {
        try (Exchange probe = Exchange.to(port)) {
            return probe.exchange(Messages.held(1, 0)) == 200;
        }
    }

    @Override
    public String name() {
        return "eldr";
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public ProcessFigures process() {
        return new ProcessFigures(process.toHandle());
    }

    @Override
    public void close() {
        BenchFiles.stop(process);
    }
}
