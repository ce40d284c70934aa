package io.eldr.launcher.postgres;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Stops Postgres when the launcher is gone, however it died. The server itself does not notice, so a shell waits at the
 * end of a pipe that only the launcher holds open. When the pipe closes, it asks the server named in the pid file to
 * shut down (SIGINT is Postgres's "fast" shutdown); for ten seconds, since the server may just be starting.
 */
public final class PostgresGuard implements AutoCloseable {

    private static final String SCRIPT =
            """
            trap '' INT HUP TERM
            cat >/dev/null
            seen=
            tries=0
            while [ "$tries" -lt 40 ]; do
              if pid=$(head -n 1 "$1" 2>/dev/null) && [ -n "$pid" ]; then
                seen=yes
                kill -INT "$pid" 2>/dev/null || exit 0
              elif [ -n "$seen" ]; then
                exit 0
              fi
              tries=$((tries + 1))
              sleep 0.25
            done
            """;

    private final Process shell;

    private PostgresGuard(Process shell) {
        this.shell = shell;
    }

    /** Begins to guard; call it before the server starts, so that there is no moment without a guard. */
    public static PostgresGuard over(PostgresCluster cluster) throws IOException {
        Path pidFile = cluster.pidFile().toAbsolutePath();
        return new PostgresGuard(new ProcessBuilder("sh", "-c", SCRIPT, "eldr-postgres-guard", pidFile.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** The process id of the guarding shell. */
    long pid() {
        return shell.pid();
    }

    /** Ends the guard after the server was stopped in order. */
    @Override
    public void close() {
        shell.destroyForcibly();
    }
}
