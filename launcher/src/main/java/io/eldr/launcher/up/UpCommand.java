package io.eldr.launcher.up;

import io.eldr.launcher.console.Console;
import io.eldr.launcher.console.UsageException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./eldr up}: everything on this machine, until Ctrl-C. */
@Command(
        name = "up",
        description =
                "Starts Postgres, the calibration service, the router and simulated decoders on this machine, fits a"
                        + " first artifact on the traces that come with ELDR, and prints the line 'ready'. Ctrl-C stops all.",
        mixinStandardHelpOptions = true)
public final class UpCommand implements Callable<Integer> {

    private final Console console;
    private final Path home;

    @Option(
            names = "--port-base",
            paramLabel = "N",
            defaultValue = "8080",
            description = "router on N, calibration on N+1, management on N+1000 and N+1001; N+2 is the dashboard's,"
                    + " N+100 to N+107 are the decoders' (default: ${DEFAULT-VALUE})")
    private int portBase = 8080;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "where state lives (default: .eldr/data in the checkout)")
    private @Nullable Path data;

    @Option(names = "--fresh", description = "delete the state of earlier runs first")
    private boolean fresh;

    /** @param home the root of the checkout */
    public UpCommand(Console console, Path home) {
        this.console = console;
        this.home = home;
    }

    @Override
    public Integer call() throws Exception {
        Path folder = data == null ? home.resolve(".eldr").resolve("data") : data;
        String failure = new Stack(console, home, folder, fresh, ports()).run();
        console.log(failure);
        return 1;
    }

    private Ports ports() {
        try {
            return new Ports(portBase);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--port-base " + e.getMessage());
        }
    }
}
