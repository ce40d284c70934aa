package io.eldr.db.testing;

import io.eldr.db.schema.Schema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real Postgres server for tests, one per JVM, started by the first test that asks. Every test class takes a database
 * of its own from it:
 *
 * <pre>{@code
 * private static final TestDatabase DATABASE = TestPostgres.freshDatabase();
 * }</pre>
 *
 * <p>Where a Docker engine answers, the server is a container (Testcontainers), elsewhere the embedded one (zonky); the
 * log says which and why. The system property {@value #SWITCH}, {@code docker} or {@code embedded}, forces one. Tests are
 * never skipped for want of a server: if neither starts, they fail.
 */
public final class TestPostgres {
    /** The system property that forces a kind of server. */
    public static final String SWITCH = "eldr.test.postgres";

    private static final Logger LOG = LoggerFactory.getLogger(TestPostgres.class);
    private static final String TEMPLATE = "eldr_template";
    private static final AtomicInteger DATABASES = new AtomicInteger();
    /** Somebody is still connected to what is to be copied; Postgres has waited five seconds for that by then. */
    private static final String OBJECT_IN_USE = "55006";

    private static final int ATTEMPTS = 12;

    /**
     * What the release after this one may do to the schema. Version N of the services must run on the schema of N+1, so all
     * tests of all services run on such a one: with columns and a table that this version does not know.
     */
    private static final String NEXT_RELEASE = """
            do $$
                declare
                    known text;
                begin
                    for known in select tablename from pg_tables
                                 where schemaname = 'public' and tablename <> 'flyway_schema_history'
                        loop
                            execute format('alter table %I add column of_next_release text default %L', known, 'unknown');
                        end loop;
                end
            $$;
            create table of_next_release (id bigint primary key);
            insert into flyway_schema_history
            select max(installed_rank) + 1, '99999', 'of next release', 'SQL', 'V99999__of_next_release.sql', 1, 'test', now(), 1,
                   true
            from flyway_schema_history""";

    private TestPostgres() {}

    /** A new database with the newest schema and what a next release may add: a copy of one that was migrated once. */
    public static TestDatabase freshDatabase() {
        return create(" template " + TEMPLATE);
    }

    /** A new database without any schema. */
    public static TestDatabase emptyDatabase() {
        return create("");
    }

    private static TestDatabase create(String template) {
        PostgresServer server = Running.SERVER;
        String name = "test_" + DATABASES.incrementAndGet();
        createPatiently(server, "create database " + name + template);
        return new TestDatabase(server, name);
    }

    /** On a busy machine connections that were closed may need long to go. */
    private static void createPatiently(PostgresServer server, String sql) {
        for (int attempt = 1; ; attempt++) {
            try {
                execute(server, sql);
                return;
            } catch (IllegalStateException e) {
                boolean mayPass = e.getCause() instanceof SQLException refusal
                        && OBJECT_IN_USE.equals(refusal.getSQLState())
                        && attempt < ATTEMPTS;
                if (!mayPass) {
                    throw e;
                }
            }
        }
    }

    static void execute(PostgresServer server, String sql) {
        execute(server, "postgres", sql);
    }

    private static void execute(PostgresServer server, String database, String sql) {
        try (Connection connection = server.dataSource(database).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("the test server refused: " + sql, e);
        }
    }

    /** Holds the one server of this JVM; it stops with it. */
    private static final class Running {
        static final PostgresServer SERVER = startMigrated();

        private static PostgresServer startMigrated() {
            PostgresServer server = start(System.getProperty(SWITCH, "").toLowerCase(Locale.ROOT));
            execute(server, "create database " + TEMPLATE);
            new Schema(server.dataSource(TEMPLATE)).migrate();
            execute(server, TEMPLATE, NEXT_RELEASE);
            return server;
        }
    }

    static PostgresServer start(String forced) {
        return switch (forced) {
            case "docker" -> started(ContainerServer.start(), SWITCH + "=docker");
            case "embedded" -> started(EmbeddedServer.start(), SWITCH + "=embedded");
            case "" -> startWhatThereIs();
            default ->
                throw new IllegalArgumentException(SWITCH + " must be docker or embedded but is '" + forced + "'");
        };
    }

    private static PostgresServer startWhatThereIs() {
        if (!mayHaveDocker()) {
            return started(EmbeddedServer.start(), "this machine has no Docker socket");
        }
        if (!ContainerServer.engineAnswers()) {
            return started(EmbeddedServer.start(), "no Docker engine answers");
        }
        PostgresServer container;
        try {
            container = ContainerServer.start();
        } catch (RuntimeException e) {
            LOG.warn("A Docker engine answers but cannot run the Postgres image", e);
            return started(EmbeddedServer.start(), "the Docker engine cannot run the Postgres image");
        }
        return started(container, "a Docker engine answers");
    }

    private static PostgresServer started(PostgresServer server, String reason) {
        LOG.info("Test Postgres: {}, because {}", server.description(), reason);
        return server;
    }

    /** Asks no engine: without a sign of one there is no need to load the client and wait for it. */
    private static boolean mayHaveDocker() {
        Path home = Path.of(System.getProperty("user.home"));
        return System.getenv("DOCKER_HOST") != null
                || System.getProperty("os.name").startsWith("Windows")
                || List.of(
                                Path.of("/var/run/docker.sock"),
                                home.resolve(".docker/run/docker.sock"),
                                home.resolve(".testcontainers.properties"))
                        .stream()
                        .anyMatch(Files::exists);
    }
}
