package io.eldr.launcher.postgres;

import io.eldr.launcher.supervision.ProcessLife;
import java.nio.file.Path;

/** Starts a guard and a cluster, prints their process ids, and waits to be killed. */
final class GuardedLauncher {

    private GuardedLauncher() {}

    /** Takes the folder of binaries, the folder of the cluster, and the port. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[1]);
        PostgresCluster cluster = new PostgresCluster(
                PostgresBinaries.unpackedBelow(Path.of(arguments[0])),
                folder.resolve("postgres"),
                folder.resolve("postgres.log"));
        int port = Integer.parseInt(arguments[2]);
        ProcessLife guard = (ProcessLife) new PostgresGuard(cluster, port).start();
        long server = cluster.start(port);
        System.out.println(guard.process().pid());
        System.out.println(server);
        Thread.currentThread().join();
    }
}
