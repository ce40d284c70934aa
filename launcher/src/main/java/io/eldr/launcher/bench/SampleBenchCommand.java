package io.eldr.launcher.bench;

import io.eldr.core.trace.RequestSample;
import io.eldr.launcher.console.Console;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** {@code ./eldr bench samples}: how fast the calibration service takes samples in. */
@Command(
        name = "samples",
        description =
                "Starts Postgres and the calibration service on this machine, sends made-up samples of 48 layers of"
                        + " 128 experts with decode counts over HTTP, in the binary form and as JSON lines in turn, and prints"
                        + " the median rates as JSON. Everything it started is stopped and deleted.",
        mixinStandardHelpOptions = true)
public final class SampleBenchCommand implements Callable<Integer> {

    private static final long SEED = 1;

    private final Console console;
    private final Path home;

    @Option(names = "--samples", paramLabel = "N", description = "of a round (default: ${DEFAULT-VALUE})")
    private int samples = 2_000;

    @Option(names = "--rounds", paramLabel = "N", description = "of each form (default: ${DEFAULT-VALUE})")
    private int rounds = 5;

    /** @param home the root of the checkout */
    public SampleBenchCommand(Console console, Path home) {
        this.console = console;
        this.home = home;
    }

    @Override
    public Integer call() throws Exception {
        List<RequestSample> requests = new MadeUpSamples(SEED).take(Math.max(1, samples));
        try (BenchStack stack = BenchStack.start(console, home)) {
            SampleBench.Figures figures = new SampleBench(stack, console).measure(requests, Math.max(1, rounds));
            console.result(JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(figures));
        }
        return 0;
    }
}
