package io.eldr.calibration.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

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
                .setPGStartupWait(Duration.ofMinutes(2))
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

    /** One that is free now, below those that systems give away: nobody gets it while the server is stopped. */
    private static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 30_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException e) {
                // Somebody else is there.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
