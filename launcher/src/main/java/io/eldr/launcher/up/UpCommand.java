package io.eldr.launcher.up;

import io.eldr.launcher.console.Console;
import io.eldr.launcher.console.UsageException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./eldr up}: everything on this machine, until Ctrl-C. */
@Command(
        name = "up",
        description =
                "Starts Postgres, the calibration service and the router on this machine, in front of two simulated"
                        + " clusters that get the same traffic: pool demo is routed by expert locality, demo-jsq by load."
                        + " Fits a first artifact on the traces that come with ELDR and prints the line 'ready'; the"
                        + " router's page then compares both. With --prefill and --decode it is put in front of engines"
                        + " that run already. Ctrl-C stops all.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
public final class UpCommand implements Callable<Integer> {

    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(5);

    private static final int MOST_REQUESTS = 1_000;

    private final Console console;
    private final Path home;

    @Option(
            names = "--port-base",
            paramLabel = "N",
            defaultValue = "8080",
            description = "router on N, calibration on N+1, dashboard on N+2, management on N+1000 to N+1002;"
                    + " simulated workers from N+100 (default: ${DEFAULT-VALUE})")
    private int portBase = 8080;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "where state lives (default: .eldr/data in the checkout)")
    private @Nullable Path data;

    @Option(names = "--fresh", description = "delete the state of earlier runs first")
    private boolean fresh;

    @Option(names = "--empty", description = "no simulated clusters, no pool, no traffic")
    private boolean empty;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "" + DemoCluster.RATE,
            description = "requests a second to each simulated cluster; with fewer, less differs between them"
                    + " (default: ${DEFAULT-VALUE})")
    private double rate = DemoCluster.RATE;

    @Mixin
    private EngineOptions engines = new EngineOptions();

    /** @param home the root of the checkout */
    public UpCommand(Console console, Path home) {
        this.console = console;
        this.home = home;
    }

    @Override
    public Integer call() throws Exception {
        Path folder = data == null ? home.resolve(".eldr").resolve("data") : data;
        String failure = new Stack(console, home, folder, fresh, ports(), backend()).run();
        console.log(failure);
        return 1;
    }

    private Backend backend() {
        if (!(rate > 0 && rate <= MOST_REQUESTS)) {
            throw new UsageException("--rate must be over 0 and at most " + MOST_REQUESTS + " but is " + rate);
        }
        if (!engines.isGiven()) {
            return empty ? new Backend.Empty() : new Backend.Demo(rate);
        }
        if (empty) {
            throw new UsageException("--empty has no engines: leave out --prefill and --decode");
        }
        try (HttpClient http =
                HttpClient.newBuilder().connectTimeout(CONNECT_PATIENCE).build()) {
            return new Backend.Engines(engines.pool(http));
        }
    }

    private Ports ports() {
        try {
            return new Ports(portBase);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--port-base " + e.getMessage());
        }
    }
}
