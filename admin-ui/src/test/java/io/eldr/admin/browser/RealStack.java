package io.eldr.admin.browser;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What {@code ./eldr up} starts, from the jars of this build, in a folder of its own. With {@code -Deldr.stack=DIR,PORT} one
 * that runs already is used: its {@code --data} and its {@code --port-base}.
 */
final class RealStack implements AutoCloseable {
    private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();
    private static final int WORKERS = 30;
    /** Requests a second: few, so that the machine is there for the browser. */
    private static final int RATE = 1;

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(30)).build();
    private final Optional<Process> up;
    private final Path data;
    private final int base;

    private RealStack(Optional<Process> up, Path data, int base) {
        this.up = up;
        this.data = data;
        this.base = base;
    }

    /** One that may still be on its way: {@link #awaitReady}. */
    static RealStack start() {
        String running = System.getProperty("eldr.stack", "");
        if (!running.isEmpty()) {
            String[] parts = running.split(",", -1);
            return new RealStack(Optional.empty(), Path.of(parts[0]), Integer.parseInt(parts[1]));
        }
        try {
            Path data = Files.createTempDirectory("eldr-dashboard").resolve("state");
            int base = portBase();
            RealStack stack = new RealStack(Optional.of(up(data, base)), data, base);
            // Also where the tests are broken off.
            Runtime.getRuntime().addShutdownHook(new Thread(stack::stop));
            return stack;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Process up(Path data, int base) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx256m",
                        "-Deldr.home=" + CHECKOUT,
                        "-jar",
                        CHECKOUT.resolve("launcher/target/eldr-launcher.jar").toString(),
                        "up",
                        "--port-base=" + base,
                        "--rate=" + RATE,
                        "--data=" + data)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    RealStack awaitReady() {
        if (up.isEmpty()) {
            return this;
        }
        try {
            BufferedReader output = up.get().inputReader();
            for (@Nullable String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.equals("ready")) {
                    return this;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("./eldr up ended before it was ready; its log is above");
    }

    /** A number whose ports are free now, below those that systems give to connections. */
    private static int portBase() {
        while (true) {
            int base = ThreadLocalRandom.current().nextInt(10_000, 30_000);
            if (areFree(base)) {
                return base;
            }
        }
    }

    private static boolean areFree(int base) {
        return IntStream.concat(IntStream.of(0, 1, 2, 1_000, 1_001, 1_002), IntStream.range(100, 100 + WORKERS))
                .allMatch(offset -> isFree(base + offset));
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    URI dashboard() {
        return at(2);
    }

    URI router() {
        return at(0);
    }

    URI calibration() {
        return at(1);
    }

    private URI at(int offset) {
        return URI.create("http://127.0.0.1:" + (base + offset));
    }

    String passwordOf(String user) {
        return secret("dashboard-" + user);
    }

    /** What the dashboard is known by at the services. */
    String dashboardToken() {
        return secret("dashboard-token");
    }

    private String secret(String name) {
        try {
            return Files.readString(data.resolve(name)).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JsonNode get(URI service, String path) {
        return call("GET", service, path, "");
    }

    /** Calls a service as the admin of the command line; fails for an answer that is no success. */
    JsonNode call(String method, URI service, String path, String json) {
        return send(method, service, path, "application/json", json);
    }

    /** The same with a body that is not JSON. */
    JsonNode send(String method, URI service, String path, String type, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(service + path))
                .timeout(Duration.ofSeconds(90))
                .header("Authorization", "Bearer " + secret("token"))
                .header("Content-Type", type)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
        try {
            HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
            if (answer.statusCode() >= 300) {
                throw new IllegalStateException(
                        method + " " + path + " was answered " + answer.statusCode() + ": " + answer.body());
            }
            return JsonMapper.shared().readTree(answer.body().isEmpty() ? "{}" : answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        http.close();
        stop();
    }

    /** Ends what was started here and deletes its data; does nothing the second time. */
    private void stop() {
        up.ifPresent(process -> {
            process.destroy();
            try {
                if (!process.waitFor(120, TimeUnit.SECONDS)) {
                    process.destroyForcibly().waitFor();
                }
                FileSystemUtils.deleteRecursively(data.resolveSibling(""));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Kills the router; what started it starts it again. False for a stack that ran before. */
    boolean killRouter() {
        List<ProcessHandle> routers = up.stream()
                .flatMap(process -> process.toHandle().descendants())
                .filter(process -> process.info().arguments().stream()
                        .flatMap(Stream::of)
                        .anyMatch(argument -> argument.endsWith("eldr-router-service.jar")))
                .toList();
        routers.forEach(ProcessHandle::destroyForcibly);
        // Until then it may still answer.
        routers.forEach(router -> router.onExit().join());
        return !routers.isEmpty();
    }

    /** Whether the router answers. */
    boolean routerAnswers() {
        try {
            return http.send(
                                    HttpRequest.newBuilder(URI.create(router() + "/readyz"))
                                            .timeout(Duration.ofSeconds(5))
                                            .build(),
                                    BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** What has to be built before; empty if all is there. */
    static Optional<String> missing() {
        return Stream.of("calibration-service", "router-service", "engine-sim", "launcher", "admin-ui")
                .map(module -> CHECKOUT.resolve(module).resolve("target").resolve("eldr-" + module + ".jar"))
                .filter(jar -> !Files.isRegularFile(jar))
                .findFirst()
                .map(jar -> "there is no " + jar + ": build all modules, as ./eldr test does");
    }

    /** Where a Chromium is on this machine; one that is made to have no window takes half the time. */
    static Optional<Path> chromium() {
        List<String> names = List.of("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome");
        Stream<Path> onPath = Stream.of(System.getenv("PATH").split(":", -1))
                .flatMap(folder -> names.stream().map(name -> Path.of(folder, name)));
        return Stream.concat(Stream.ofNullable(System.getenv("ELDR_CHROMIUM")).map(Path::of), onPath)
                .filter(Files::isExecutable)
                .findFirst();
    }
}
