package io.eldr.benchmarks.route;

import io.eldr.benchmarks.process.LastGoodState;
import io.eldr.benchmarks.process.ProcessFigures;
import io.eldr.benchmarks.process.RouterProcess;
import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.artifact.RoutingArtifact;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A router of one pool whose decoders nobody listens on: it decides, it does not forward. */
final class BenchRouter implements AutoCloseable {
    static final String POOL = "bench";
    static final String TOKEN = "token-of-the-benchmark";

    private static final List<String> SETTINGS = List.of(
            "--spring.profiles.active=bench",
            "--eldr.access.tokens[0].name=bench",
            "--eldr.access.tokens[0].role=admin",
            "--eldr.access.tokens[0].sha256=" + ArtifactCodec.sha256Hex(TOKEN.getBytes(StandardCharsets.UTF_8)),
            // Nobody is there, but what requests are like is counted all the same.
            "--eldr.router.calibration.url=http://127.0.0.1:1",
            "--eldr.router.calibration.token=none");

    private final RouterProcess router;
    private final Path folder;

    private BenchRouter(RouterProcess router, Path folder) {
        this.router = router;
        this.folder = folder;
    }

    /**
     * Starts one and waits until it is ready.
     *
     * @param home the checkout, whose jar is run
     */
    static BenchRouter start(Path home, RoutingArtifact artifact) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("eldr-bench-");
        try {
            LastGoodState.write(
                    RouterProcess.state(folder),
                    POOL,
                    artifact,
                    artifact.slots().stream()
                            .map(slot -> new LastGoodState.Worker(slot, "DECODE", "http://127.0.0.1:1/" + slot))
                            .toList());
            return new BenchRouter(RouterProcess.start(home, folder, SETTINGS, BenchRouter::isReady), folder);
        } catch (IOException | InterruptedException | RuntimeException e) {
            delete(folder);
            throw e;
        }
    }

    private static boolean isReady(int port) throws IOException {
        try (Connection connection = Connection.to(port)) {
            return connection.exchange(BenchBodies.head("GET", "/v1/pools/" + POOL + "/decoders", TOKEN, "Accept: */*"))
                            == 200
                    && connection.text().contains("READY");
        }
    }

    int port() {
        return router.port();
    }

    ProcessFigures figures() {
        return router.figures();
    }

    @Override
    public void close() throws IOException {
        router.close();
        delete(folder);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }
}
