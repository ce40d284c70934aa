package io.eldr.db.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/** The server that comes as a library: no Docker needed, stopped by a hook of its own when the JVM ends. */
final class EmbeddedServer {
    private EmbeddedServer() {}

    static PostgresServer start() {
        try {
            EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                    .setPGStartupWait(Duration.ofMinutes(2))
                    .setServerConfig("listen_addresses", "127.0.0.1")
                    .setServerConfig("fsync", "off")
                    .setServerConfig("full_page_writes", "off")
                    .setServerConfig("max_connections", "200")
                    .start();
            return new PostgresServer("embedded server", "127.0.0.1", postgres.getPort(), "postgres", "postgres");
        } catch (IOException e) {
            throw new UncheckedIOException("embedded Postgres does not start", e);
        }
    }
}
