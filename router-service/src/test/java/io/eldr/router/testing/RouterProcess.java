package io.eldr.router.testing;

import static org.awaitility.Awaitility.await;

import io.eldr.router.RouterApplication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** A router in a process of its own, which can be killed. */
public final class RouterProcess extends RouterCalls {

    private static final Duration LONGEST_START = Duration.ofMinutes(2);

    private final Process process;
    private final int port;
    private final int managementPort;

    private RouterProcess(Process process, int port, int managementPort) {
        this.process = process;
        this.port = port;
        this.managementPort = managementPort;
    }

    /** Starts one on a port and waits until it is ready. */
    public static RouterProcess start(int port, Map<String, String> database, String... properties) {
        List<String> all = new ArrayList<>(List.of(properties));
        all.add("server.port=" + port);
        int managementPort = FreePorts.of(1).getFirst();
        all.add("management.server.port=" + managementPort);
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "--add-modules=jdk.incubator.vector",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                RouterApplication.class.getName()));
        command.addAll(TestRouter.arguments(database, all.toArray(String[]::new)));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            RouterProcess router = new RouterProcess(process, port, managementPort);
            return router.awaitReady();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private RouterProcess awaitReady() {
        boolean ready = false;
        try {
            await().atMost(LONGEST_START).until(this::ready);
            ready = true;
        } finally {
            if (!ready) {
                close();
            }
        }
        return this;
    }

    @Override
    public int port() {
        return port;
    }

    /** A figure of its page of metrics, by the name and labels that stand there; empty where it is not there. */
    public OptionalDouble metric(String series) {
        URI page = URI.create("http://127.0.0.1:" + managementPort + "/actuator/prometheus");
        return send(HttpRequest.newBuilder(page).GET())
                .text()
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst();
    }

    /** Ends it without a word to anybody. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        super.close();
        kill();
    }

    private boolean ready() {
        if (!process.isAlive()) {
            throw new IllegalStateException("the router ended with " + process.exitValue());
        }
        try {
            return send(request("/readyz", Optional.empty()).GET()).status() == 200;
        } catch (IllegalStateException e) {
            return false;
        }
    }
}
