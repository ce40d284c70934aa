package io.eldr.db.testing;

import java.util.Map;
import javax.sql.DataSource;

/** A database of one test class. Closing it drops it; it need not be closed, its server ends with the JVM. */
public final class TestDatabase implements AutoCloseable {
    private final PostgresServer server;
    private final String name;

    TestDatabase(PostgresServer server, String name) {
        this.server = server;
        this.name = name;
    }

    public String url() {
        return server.url(name);
    }

    public String username() {
        return server.username();
    }

    public String password() {
        return server.password();
    }

    /** Opens a connection each time; there is no pool behind it. */
    public DataSource dataSource() {
        return server.dataSource(name);
    }

    /** {@code spring.datasource.url}, {@code .username} and {@code .password}. */
    public Map<String, String> springProperties() {
        return Map.of(
                "spring.datasource.url", url(),
                "spring.datasource.username", username(),
                "spring.datasource.password", password());
    }

    @Override
    public void close() {
        TestPostgres.execute(server, "drop database if exists " + name + " with (force)");
    }
}
