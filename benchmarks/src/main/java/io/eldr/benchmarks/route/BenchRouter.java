package io.eldr.benchmarks.route;

import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.artifact.RoutingArtifact;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A router in a JVM of its own, with the options that {@code ./eldr up} gives it. There is no Postgres: it serves the last
 * good state that was put on its disk.
 */
final class BenchRouter implements AutoCloseable {
    static final String POOL = "bench";
    static final String TOKEN = "token-of-the-benchmark";

    private static final Duration LONGEST_START = Duration.ofMinutes(2);
    /** There are two: one for the API and one for management. */
    private static final Pattern STARTED = Pattern.compile("Netty started on port (\\d+)");

    private static final double MIB = 1 << 20;

    private final Process process;
    private final Path folder;
    private final int port;

    private BenchRouter(Process process, Path folder, int port) {
        this.process = process;
        this.folder = folder;
        this.port = port;
    }

    /**
     * Starts one and waits until it is ready.
     *
     * @param home the checkout, whose jar is run
     */
    static BenchRouter start(Path home, RoutingArtifact artifact) throws IOException, InterruptedException {
        Path jar = home.resolve("router-service/target/eldr-router-service.jar");
        if (!Files.exists(jar)) {
            throw new IllegalStateException("there is no " + jar + "; build it first");
        }
        Path folder = Files.createTempDirectory("eldr-bench-");
        writeLastGood(folder.resolve("last-good.eldr"), artifact);
        Process process = new ProcessBuilder(command(jar, folder))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("router.log").toFile())
                .start();
        BenchRouter router = new BenchRouter(process, folder, 0);
        try {
            return new BenchRouter(process, folder, router.awaitPort());
        } catch (IOException | InterruptedException | RuntimeException e) {
            router.close();
            throw e;
        }
    }

    private static List<String> command(Path jar, Path folder) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "--add-modules=jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx208m",
                "-XX:+UseCompactObjectHeaders",
                "-XX:TrimNativeHeapInterval=5000",
                "-jar",
                jar.toString(),
                "--spring.profiles.active=bench",
                "--server.address=127.0.0.1",
                "--server.port=0",
                "--management.server.address=127.0.0.1",
                "--management.server.port=0",
                "--spring.datasource.url=jdbc:postgresql://127.0.0.1:1/none",
                "--eldr.access.tokens[0].name=bench",
                "--eldr.access.tokens[0].role=admin",
                "--eldr.access.tokens[0].sha256=" + sha256(TOKEN.getBytes(StandardCharsets.UTF_8)),
                "--eldr.router.data-dir=" + folder,
                // Nobody is there, but what requests are like is counted all the same.
                "--eldr.router.calibration.url=http://127.0.0.1:1",
                "--eldr.router.calibration.token=none");
    }

    private int awaitPort() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + LONGEST_START.toNanos();
        while (System.nanoTime() < deadline && process.isAlive()) {
            Matcher started = STARTED.matcher(log());
            while (started.find()) {
                int found = Integer.parseInt(started.group(1));
                if (isReady(found)) {
                    return found;
                }
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        throw new IllegalStateException("the router did not get ready:\n" + log());
    }

    private static boolean isReady(int port) throws IOException {
        try (Connection connection = Connection.to(port)) {
            return connection.exchange(BenchBodies.head("GET", "/v1/pools/" + POOL + "/decoders", TOKEN, "Accept: */*"))
                            == 200
                    && connection.text().contains("READY");
        }
    }

    String log() throws IOException {
        return Files.readString(folder.resolve("router.log"));
    }

    int port() {
        return port;
    }

    /** What the process has computed so far, on all cores. */
    Duration cpuTime() {
        return process.info().totalCpuDuration().orElseThrow();
    }

    /** What of it is in memory. */
    double rssMiB() throws IOException, InterruptedException {
        Process ps = new ProcessBuilder("ps", "-o", "rss=", "-p", Long.toString(process.pid())).start();
        String kib = new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        ps.waitFor();
        return Long.parseLong(kib) * 1024 / MIB;
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }

    /** The file from which a router serves while Postgres is away. */
    private static void writeLastGood(Path file, RoutingArtifact artifact) throws IOException {
        byte[] content = ArtifactCodec.encode(artifact);
        JsonMapper json = JsonMapper.shared();
        ObjectNode activation = json.createObjectNode()
                .put("generation", 1)
                .put("version", 1)
                .put("sha256", ArtifactCodec.sha256Hex(content));
        ObjectNode intent =
                json.createObjectNode().put("id", 1).put("name", POOL).put("policy", "eldr");
        intent.putObject("model")
                .put("name", artifact.model().name())
                .put("revision", "")
                .putObject("geometry")
                .put("layers", artifact.model().geometry().layers())
                .put("experts", artifact.model().geometry().experts())
                .put("topK", artifact.model().geometry().topK());
        for (String absent : List.of("tau", "minCandidates", "hot", "shadow", "switchback", "names", "samplingRate")) {
            intent.putNull(absent);
        }
        intent.set("workers", workers(artifact.slots()));
        intent.set("activation", activation);
        ObjectNode root = json.createObjectNode();
        ObjectNode pool = root.putArray("pools").addObject();
        pool.set("intent", intent);
        ObjectNode saved = pool.putObject("artifact");
        saved.set("activation", activation);
        saved.putObject("stored")
                .put("content", Base64.getEncoder().encodeToString(content))
                .put("sha256", ArtifactCodec.sha256Hex(content));
        byte[] body = json.writeValueAsBytes(root);
        Files.writeString(file, "eldr-last-good 1 " + ArtifactCodec.sha256Hex(body) + "\n");
        Files.write(file, body, java.nio.file.StandardOpenOption.APPEND);
    }

    private static ArrayNode workers(List<String> slots) {
        ArrayNode workers = JsonMapper.shared().createArrayNode();
        for (String slot : slots) {
            workers.addObject()
                    .put("slot", slot)
                    .put("uid", "1")
                    .put("role", "DECODE")
                    // Nothing listens there and nothing is sent there: the router decides, it does not forward.
                    .put("url", "http://127.0.0.1:1/" + slot)
                    .put("weight", 1.0)
                    .putNull("maxInFlight")
                    .put("probe", "NONE")
                    .put("draining", false)
                    .putNull("revision");
        }
        return workers;
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
