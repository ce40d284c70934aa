package io.eldr.launcher.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eldr.launcher.console.CommandFailedException;
import io.eldr.launcher.supervision.Child;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class PostgresClusterTest {

    /** Unpacked once for all tests of this build. */
    private static final Path CACHE = Path.of("target", "postgres-binaries").toAbsolutePath();

    private static final String PASSWORD = "it's a secret";

    @TempDir
    private static Path folder;

    private static PostgresCluster cluster;

    @BeforeAll
    static void initialise() throws IOException {
        cluster = new PostgresCluster(
                PostgresBinaries.unpackedBelow(CACHE), folder.resolve("postgres"), folder.resolve("postgres.log"));
        cluster.initialise(PASSWORD);
    }

    @AfterEach
    void stop() {
        cluster.stopStale();
    }

    @Test
    void keepsItsDataFromOneStartToTheNext() throws Exception {
        int port = freePort();
        cluster.start(port);
        cluster.createDatabase(port, PASSWORD);
        execute(port, "CREATE TABLE IF NOT EXISTS kept (value int)");
        cluster.stop();
        assertThat(cluster.pid()).isEmpty();

        int otherPort = freePort();
        cluster.initialise("ignored, since there is a cluster");
        cluster.start(otherPort);
        cluster.createDatabase(otherPort, PASSWORD);

        assertThat(count(otherPort, "SELECT count(*) FROM kept")).isZero();
    }

    @Test
    void asksForThePasswordAndGivesServicesNoMoreThanTheirDatabase() throws Exception {
        int port = freePort();
        cluster.start(port);
        cluster.createDatabase(port, PASSWORD);

        assertThatThrownBy(
                        () -> DriverManager.getConnection(PostgresCluster.jdbcUrl(port), PostgresCluster.USER, "wrong")
                                .close())
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("password authentication failed");
        assertThat(count(port, "SELECT count(*) FROM pg_roles WHERE rolname = current_user AND NOT rolsuper"))
                .isOne();
    }

    @Test
    void survivesTheDeathOfTheServer() throws Exception {
        int port = freePort();
        PostgresChild child = new PostgresChild(cluster, port);
        Child.Running life = child.start();
        cluster.createDatabase(port, PASSWORD);
        execute(port, "CREATE TABLE IF NOT EXISTS kept (value int)");

        ProcessHandle.of(cluster.pid().orElseThrow()).orElseThrow().destroyForcibly();
        assertThat(life.awaitEnd()).contains("is gone");
        assertThat(life.isAlive()).isFalse();
        // The server's own children need a moment to notice; a supervisor would try again as well.
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptionsInstanceOf(CommandFailedException.class)
                .until(() -> child.start().isAlive());

        assertThat(count(port, "SELECT count(*) FROM kept")).isZero();
    }

    @Test
    void aPortThatIsTakenFailsTheStartAndShowsTheLog() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatExceptionOfType(CommandFailedException.class)
                    .isThrownBy(() -> cluster.start(taken.getLocalPort()))
                    .satisfies(failure -> assertThat(failure.logFile().orElseThrow())
                            .content()
                            .contains("Address already in use"));
        }
    }

    @Test
    void aHalfMadeClusterIsMadeAgain() throws Exception {
        Path unfinished = Files.createDirectories(folder.resolve("other.unfinished"));
        Files.writeString(unfinished.resolve("PG_VERSION"), "18");
        PostgresCluster other = new PostgresCluster(
                PostgresBinaries.unpackedBelow(CACHE), folder.resolve("other"), folder.resolve("other.log"));

        other.initialise(PASSWORD);
        other.initialise(PASSWORD);

        assertThat(unfinished).doesNotExist();
        assertThat(folder.resolve("other").resolve("postgresql.conf")).exists();
    }

    @Test
    void aServerLeftByAKilledLauncherIsStopped() throws Exception {
        long pid = cluster.start(freePort());

        cluster.stopStale();

        await().atMost(Duration.ofSeconds(60)).until(() -> !isAlive(pid));
        assertThat(cluster.pidFile()).doesNotExist();
    }

    @Test
    void nothingSurvivesTheSigkillOfALauncher() throws Exception {
        Process launcher = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        GuardedLauncher.class.getName(),
                        CACHE.toString(),
                        folder.toString(),
                        Integer.toString(freePort())))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        long guard;
        long server;
        try (BufferedReader output = launcher.inputReader()) {
            guard = Long.parseLong(output.readLine());
            server = Long.parseLong(output.readLine());
        } finally {
            launcher.destroyForcibly().waitFor();
        }

        await().atMost(Duration.ofSeconds(60)).until(() -> !isAlive(server) && !isAlive(guard));
        assertThat(cluster.pidFile()).doesNotExist();
        assertThat(folder.resolve("postgres.log")).content().contains("fast shutdown request");
    }

    private static boolean isAlive(long pid) {
        return new ServerProcess(pid).isRunning();
    }

    /** One that is free now, below those that systems give away: nobody gets it before the server has it. */
    private static int freePort() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 30_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException e) {
                // Somebody else is there.
            }
        }
    }

    private static void execute(int port, String sql) throws SQLException {
        try (Connection connection = connect(port);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long count(int port, String sql) throws SQLException {
        try (Connection connection = connect(port);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static Connection connect(int port) throws SQLException {
        return DriverManager.getConnection(PostgresCluster.jdbcUrl(port), PostgresCluster.USER, PASSWORD);
    }
}
