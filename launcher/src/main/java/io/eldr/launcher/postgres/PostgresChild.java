package io.eldr.launcher.postgres;

import io.eldr.launcher.supervision.Child;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

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
        return new Life(cluster, new ServerProcess(cluster.start(port)));
    }

    private record Life(PostgresCluster cluster, ServerProcess server) implements Running {

        private static final Duration PERIOD = Duration.ofMillis(200);

        @Override
        public boolean isAlive() {
            return server.isRunning();
        }

        /** The server is no child of this process: nobody tells us its end or its exit code, so we look. */
        @Override
        public String awaitEnd() throws InterruptedException {
            while (server.isRunning()) {
                Thread.sleep(PERIOD);
            }
            return "process " + server.pid() + " is gone";
        }

        @Override
        public void stop() {
            cluster.stop();
        }
    }
}
