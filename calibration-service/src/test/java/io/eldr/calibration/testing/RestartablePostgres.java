package io.eldr.calibration.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** A Postgres of one test, on a port and a data folder that outlive its restarts. It is not started at first. */
public final class RestartablePostgres implements AutoCloseable {
    private final Path data;
    private final int port = freePort();
    private Optional<EmbeddedPostgres> running = Optional.empty();

    public RestartablePostgres(Path directory) {
        this.data = directory.resolve("postgres");
    }

    public void start() throws IOException {
        running = Optional.of(EmbeddedPostgres.builder()
                .setPort(port)
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setServerConfig("listen_addresses", "127.0.0.1")
                .start());
    }

    public void stop() throws IOException {
        running.orElseThrow().close();
        running = Optional.empty();
    }

    public Map<String, String> springProperties() {
        return Map.of(
                "spring.datasource.url", "jdbc:postgresql://127.0.0.1:" + port + "/postgres",
                "spring.datasource.username", "postgres",
                "spring.datasource.password", "postgres");
    }

    @Override
    public void close() throws IOException {
        if (running.isPresent()) {
            stop();
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
