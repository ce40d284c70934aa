package io.eldr.launcher.bench;

import io.eldr.launcher.client.ApiException;
import io.eldr.launcher.client.EldrClient;
import io.eldr.launcher.console.CommandFailedException;
import io.eldr.launcher.console.Console;
import io.eldr.launcher.postgres.FileTrees;
import io.eldr.launcher.postgres.PostgresBinaries;
import io.eldr.launcher.postgres.PostgresChild;
import io.eldr.launcher.postgres.PostgresCluster;
import io.eldr.launcher.postgres.PostgresGuard;
import io.eldr.launcher.supervision.Child;
import io.eldr.launcher.supervision.JavaService;
import io.eldr.launcher.supervision.RestartPolicy;
import io.eldr.launcher.supervision.Supervisor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Postgres and the calibration service for one measurement, in a folder that is deleted with them. */
final class BenchStack implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration PERIOD = Duration.ofMillis(200);

    private final Console console;
    private final Path home;
    private final Path folder;
    private final String password = secret();
    private final String token = secret();
    private final Supervisor supervisor;
    private final int postgresPort;
    private final EldrClient calibration;
    private final int port;
    private boolean closed;

    private BenchStack(Console console, Path home) throws IOException {
        this.console = console;
        this.home = home;
        this.supervisor = new Supervisor(RestartPolicy.DEFAULT, InstantSource.system(), Thread::sleep, console);
        this.postgresPort = freePort();
        this.port = freePort();
        Files.createDirectories(home.resolve(".eldr"));
        this.folder = Files.createTempDirectory(home.resolve(".eldr"), "bench-");
        this.calibration = new EldrClient(
                HttpClient.newHttpClient(), JsonMapper.shared(), URI.create("http://127.0.0.1:" + port), token);
    }

    /** Starts both and waits until the service is ready. */
    static BenchStack start(Console console, Path home) throws IOException {
        BenchStack stack = new BenchStack(console, home);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("stop").unstarted(stack::close));
        try {
            stack.start();
            return stack;
        } catch (IOException | RuntimeException e) {
            stack.close();
            throw e;
        }
    }

    /** Calls the service as an admin. */
    EldrClient calibration() {
        return calibration;
    }

    /** The mean size of a sample's counts as they are stored. */
    long payloadBytes() {
        try (Connection connection = DriverManager.getConnection(
                        PostgresCluster.jdbcUrl(postgresPort), PostgresCluster.USER, password);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select coalesce(avg(length(prefill) + coalesce(length(decode), 0)), 0) from sample")) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new CommandFailedException("Postgres does not say how large samples are: " + e.getMessage(), e);
        }
    }

    private void start() throws IOException {
        PostgresCluster cluster = new PostgresCluster(
                PostgresBinaries.unpackedBelow(home.resolve(".eldr").resolve("postgres")),
                folder.resolve("postgres"),
                folder.resolve("postgres.log"));
        console.log("starting Postgres");
        cluster.initialise(password);
        supervisor.start(new PostgresGuard(cluster, postgresPort));
        supervisor.start(new PostgresChild(cluster, postgresPort));
        cluster.createDatabase(postgresPort, password);
        console.log("starting the calibration service");
        migrate(service("migration", List.of("migrate")));
        JavaService service = service(
                "calibration-service",
                List.of(
                        "--server.address=127.0.0.1",
                        "--server.port=" + port,
                        "--management.server.address=127.0.0.1",
                        "--management.server.port=0"));
        awaitReady(service, supervisor.start(service));
    }

    private JavaService service(String name, List<String> arguments) {
        Path jar = home.resolve("calibration-service/target/eldr-calibration-service.jar");
        if (!Files.isRegularFile(jar)) {
            throw new CommandFailedException("There is no " + jar + "; ./eldr builds it, or mvn package");
        }
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of(
                "--eldr.supervised=true",
                "--spring.datasource.url=" + PostgresCluster.jdbcUrl(postgresPort),
                "--spring.datasource.username=" + PostgresCluster.USER,
                "--eldr.access.tokens[0].name=bench",
                "--eldr.access.tokens[0].role=admin",
                "--eldr.access.tokens[0].sha256=" + sha256(token)));
        return new JavaService(
                name,
                jar,
                // As ./eldr up starts it.
                List.of("-XX:+UseSerialGC", "-Xmx512m", "--add-modules=jdk.incubator.vector"),
                all,
                Map.of("SPRING_DATASOURCE_PASSWORD", password),
                folder.resolve(name + ".log"));
    }

    private void migrate(JavaService migration) throws IOException {
        try {
            String end = supervisor.start(migration).awaitEnd();
            if (!end.equals("exit code 0")) {
                throw new CommandFailedException("The migration failed (" + end + ")", migration.log());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted", e);
        }
    }

    private void awaitReady(JavaService service, Child.Running life) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!isReady()) {
            if (!life.isAlive() || System.nanoTime() > deadline) {
                throw new CommandFailedException("The calibration service does not start", service.log());
            }
            try {
                Thread.sleep(PERIOD);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CommandFailedException("interrupted", e);
            }
        }
    }

    private boolean isReady() {
        try {
            calibration.get("/v1/pools");
            return true;
        } catch (ApiException | CommandFailedException notYet) {
            return false;
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        supervisor.close();
        try {
            FileTrees.delete(folder);
        } catch (IOException e) {
            console.log("cannot delete " + folder + ": " + e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String secret() {
        byte[] bytes = new byte[24];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
