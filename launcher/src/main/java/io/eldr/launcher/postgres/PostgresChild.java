package io.eldr.launcher.postgres;

import io.eldr.launcher.supervision.Child;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The cluster as a supervised child, on a port that stays the same.
 *
 * @param cluster an initialised cluster
 * @param port where it listens
 */
public record PostgresChild(PostgresCluster cluster, int port) implements Child {

    @Override
    public String name() {
        return "postgres";
    }

    @Override
    public Path log() {
        return cluster.log();
    }

    /** Unlike other children it is ready when this returns. */
    @Override
    public Running start() throws IOException {
        return new Life(cluster, cluster.start(port));
    }

    private record Life(PostgresCluster cluster, long pid) implements Running {

        @Override
        public boolean isAlive() {
            return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
        }

        @Override
        public String awaitEnd() throws InterruptedException {
            // The server is no child of this process, so nobody learns its exit code.
            ProcessHandle.of(pid).ifPresent(process -> process.onExit().join());
            return "process " + pid + " is gone";
        }

        @Override
        public void stop() {
            cluster.stop();
        }
    }
}
