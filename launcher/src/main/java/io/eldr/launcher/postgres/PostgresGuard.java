package io.eldr.launcher.postgres;

import io.eldr.launcher.supervision.Child;
import io.eldr.launcher.supervision.ProcessLife;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Stops Postgres when the launcher is gone, however it died. The server itself does not notice, so a shell waits at the
 * end of a pipe that only the launcher holds open. When the pipe closes, the services stop by themselves; a moment later
 * the shell asks the server to shut down (SIGINT is Postgres's "fast" shutdown), for ten seconds, since the server may
 * just be starting. It is started before the server and stopped after it, so that there is no moment without a guard.
 *
 * @param cluster what it guards
 * @param port where the server listens; it tells this run's server from the server of the next {@code up}
 */
public record PostgresGuard(PostgresCluster cluster, int port) implements Child {

    /** The pid file holds the process id in its first line and the port in its fourth. */
    private static final String SCRIPT = """
            trap '' INT HUP TERM
            cat >/dev/null
            sleep 4
            seen=
            tries=0
            while [ "$tries" -lt 40 ]; do
              if [ "$(sed -n 4p "$1" 2>/dev/null)" = "$2" ] && pid=$(head -n 1 "$1" 2>/dev/null); then
                seen=yes
                kill -INT "$pid" 2>/dev/null || exit 0
              elif [ -n "$seen" ]; then
                exit 0
              fi
              tries=$((tries + 1))
              sleep 0.25
            done
            """;

    @Override
    public String name() {
        return "postgres-guard";
    }

    @Override
    public Path log() {
        return cluster.log();
    }

    @Override
    public Running start() throws IOException {
        Path pidFile = cluster.pidFile().toAbsolutePath();
        Process shell = new ProcessBuilder(
                        "sh", "-c", SCRIPT, "eldr-postgres-guard", pidFile.toString(), Integer.toString(port))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        // It ignores signals, so that it outlives whatever ends the launcher.
        return new ProcessLife(shell, Duration.ZERO);
    }
}
