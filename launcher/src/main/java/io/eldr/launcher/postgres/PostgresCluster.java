package io.eldr.launcher.postgres;

import io.eldr.launcher.console.CommandFailedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A Postgres whose data stays in a folder from one start to the next. It listens on 127.0.0.1 only, asks for a password
 * (SCRAM) and keeps fsync on. The server runs in a session of its own, so that a Ctrl-C in the terminal reaches the
 * launcher, which stops the services first.
 */
public final class PostgresCluster {

    /** The role and the database of the services; the role owns the database and nothing else. */
    public static final String USER = "eldr";

    public static final String DATABASE = "eldr";

    private static final String SUPERUSER = "postgres";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final PostgresBinaries binaries;
    private final Path data;
    private final Path log;
    private final PrivilegeDrop privileges;

    /**
     * @param data the cluster's folder; its parent must exist
     * @param log where the server writes its log
     */
    public PostgresCluster(PostgresBinaries binaries, Path data, Path log) {
        this.binaries = binaries;
        this.data = data;
        this.log = log;
        this.privileges = PrivilegeDrop.ofThisProcess();
    }

    public Path log() {
        return log;
    }

    /** The file in which a running server keeps its process id. */
    public Path pidFile() {
        return data.resolve("postmaster.pid");
    }

    /**
     * Makes the cluster unless it is there. A making that was cut short leaves nothing that looks like a cluster.
     *
     * @param password of the superuser; it is not stored in clear in the cluster
     */
    public void initialise(String password) throws IOException {
        if (Files.exists(data.resolve("PG_VERSION"))) {
            return;
        }
        Path unfinished = data.resolveSibling(data.getFileName() + ".unfinished");
        FileTrees.delete(unfinished);
        Path passwordFile = Files.createTempFile(
                data.resolveSibling(""),
                "initdb",
                ".tmp",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            Files.writeString(passwordFile, password);
            run(
                    "initdb",
                    "--pgdata=" + unfinished,
                    "--username=" + SUPERUSER,
                    "--pwfile=" + passwordFile,
                    "--auth=scram-sha-256",
                    "--encoding=UTF8",
                    "--no-locale",
                    "--set=listen_addresses=127.0.0.1",
                    "--set=unix_socket_directories=",
                    "--set=max_connections=80",
                    "--set=shared_buffers=64MB",
                    "--set=timezone=UTC",
                    "--set=log_timezone=UTC");
            Files.move(unfinished, data);
        } finally {
            Files.deleteIfExists(passwordFile);
        }
    }

    /** Stops a server that a killed launcher left on this folder. Does nothing if none runs. */
    public void stopStale() {
        if (Files.exists(pidFile()) && isRunning()) {
            stop();
        }
    }

    /**
     * Starts the server and waits until it takes connections.
     *
     * @return the process id of the server
     * @throws CommandFailedException with the log's end if it does not start
     */
    public long start(int port) throws IOException {
        Process process = privileges
                .processBuilder(command(
                        "pg_ctl",
                        "--pgdata=" + data,
                        "--log=" + log,
                        "--wait",
                        "--timeout=" + PATIENCE.toSeconds(),
                        "--options=-p " + port,
                        "start"))
                .redirectErrorStream(true)
                // Not a pipe: the server would inherit it and it would never end.
                .redirectOutput(log.resolveSibling("pg_ctl.log").toFile())
                .start();
        if (exitCode(process) != 0) {
            throw new CommandFailedException("Postgres does not start", log);
        }
        return pid().orElseThrow(() -> new CommandFailedException("Postgres ended at once", log));
    }

    /** Ends all sessions and shuts down in order (Postgres's "fast"); should that hang, "immediate". */
    public void stop() {
        if (pgCtlStop("fast", Duration.ofSeconds(30)) != 0 && isRunning()) {
            pgCtlStop("immediate", Duration.ofSeconds(10));
        }
    }

    /** The process id of the running server, if its file names one. */
    public OptionalLong pid() {
        try (var lines = Files.lines(pidFile(), StandardCharsets.US_ASCII)) {
            Optional<String> first = lines.findFirst();
            return first.isPresent() && first.get().matches("[0-9]{1,18}")
                    ? OptionalLong.of(Long.parseLong(first.get()))
                    : OptionalLong.empty();
        } catch (IOException | UncheckedIOException e) {
            return OptionalLong.empty();
        }
    }

    /**
     * Makes the services' role and database unless they are there.
     *
     * @param password the superuser's, which the role gets too
     */
    public void createDatabase(int port, String password) {
        try (Connection connection = DriverManager.getConnection(jdbcUrl(port, "postgres"), SUPERUSER, password);
                Statement statement = connection.createStatement()) {
            if (!exists(statement, "SELECT 1 FROM pg_roles WHERE rolname = '" + USER + "'")) {
                statement.execute("CREATE ROLE " + USER + " LOGIN");
            }
            statement.execute("ALTER ROLE " + USER + " PASSWORD " + statement.enquoteLiteral(password));
            if (!exists(statement, "SELECT 1 FROM pg_database WHERE datname = '" + DATABASE + "'")) {
                statement.execute("CREATE DATABASE " + DATABASE + " OWNER " + USER);
            }
        } catch (SQLException e) {
            throw new CommandFailedException("Postgres runs but does not take our connection: " + e.getMessage(), log);
        }
    }

    /** Where the services find their database. */
    public static String jdbcUrl(int port) {
        return jdbcUrl(port, DATABASE);
    }

    private static String jdbcUrl(int port, String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    private static boolean exists(Statement statement, String query) throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            return rows.next();
        }
    }

    private boolean isRunning() {
        return quietly("pg_ctl", "--pgdata=" + data, "status") == 0;
    }

    private int pgCtlStop(String mode, Duration patience) {
        return quietly(
                "pg_ctl", "--pgdata=" + data, "--mode=" + mode, "--wait", "--timeout=" + patience.toSeconds(), "stop");
    }

    private int quietly(String program, String... arguments) {
        try {
            return exitCode(privileges
                    .processBuilder(command(program, arguments))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void run(String program, String... arguments) throws IOException {
        Path output = log.resolveSibling(program + ".log");
        Process process = privileges
                .processBuilder(command(program, arguments))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (exitCode(process) != 0) {
            throw new CommandFailedException("Postgres's " + program + " failed", output);
        }
    }

    private List<String> command(String program, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(binaries.program(program).toString());
        command.addAll(List.of(arguments));
        return command;
    }

    /** Waits to the end even if interrupted: half a start or stop would leave a server that nobody knows. */
    private static int exitCode(Process process) {
        boolean interrupted = false;
        while (true) {
            try {
                int code = process.waitFor();
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                return code;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }
}
