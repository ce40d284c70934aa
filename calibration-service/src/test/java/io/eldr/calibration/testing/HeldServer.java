package io.eldr.calibration.testing;

import io.eldr.calibration.CalibrationApplication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The service in a JVM of its own, whose fits never end, so that it can be killed in the middle of one. */
public final class HeldServer implements AutoCloseable {
    private final Process process;
    private final int port;

    private HeldServer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    public static HeldServer start(Map<String, String> database, Path directory) {
        Path portFile = directory.resolve("port");
        Path log = directory.resolve("log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                HeldServer.class.getName(),
                portFile.toString()));
        command.addAll(TestServer.arguments(database));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            int port = Awaitility.await("the child's start")
                    .atMost(Duration.ofMinutes(2))
                    .failFast("the child has ended", () -> !process.isAlive())
                    .until(() -> port(portFile), found -> found > 0);
            return new HeldServer(process, port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int port(Path file) throws IOException {
        String text = Files.exists(file) ? Files.readString(file) : "";
        return text.endsWith("\n") ? Integer.parseInt(text.strip()) : 0;
    }

    public ApiClient as(TestToken token) {
        return new ApiClient(port, token);
    }

    /** Ends it as SIGKILL does. */
    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    @Override
    public void close() {
        kill();
    }

    public static void main(String[] args) throws IOException {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(
                        CalibrationApplication.class, ControlledFitting.Replacement.class)
                .run(List.of(args).subList(1, args.length).toArray(String[]::new));
        TestServer.awaitRegistry(context);
        Files.writeString(Path.of(args[0]), context.getEnvironment().getRequiredProperty("local.server.port") + "\n");
    }
}
