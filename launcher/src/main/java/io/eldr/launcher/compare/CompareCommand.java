package io.eldr.launcher.compare;

import io.eldr.core.trace.RoutingTrace;
import io.eldr.core.trace.TraceRequest;
import io.eldr.launcher.client.EldrClient;
import io.eldr.launcher.client.ServiceOptions;
import io.eldr.launcher.console.CommandFailedException;
import io.eldr.launcher.console.Console;
import io.eldr.launcher.console.Lifeline;
import io.eldr.launcher.console.UsageException;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code ./eldr compare}: the same traffic to several pools. */
@Command(
        name = "compare",
        description =
                "Sends the same recorded requests at the same moments to several pools of simulated engines through"
                        + " the gateway, tells the router what a token takes in each (its page shows it), and prints it at the"
                        + " end.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
public final class CompareCommand implements Callable<Integer> {
    private static final Duration REPORT_PERIOD = Duration.ofSeconds(1);
    private static final int WORKERS = 2;
    private static final int MAX_RATE = 10_000;

    private final Console console;
    private final Path home;

    @Mixin
    private ServiceOptions router = new ServiceOptions();

    @Option(
            names = "--pools",
            required = true,
            split = ",",
            paramLabel = "POOL",
            description = "the pools, as clients name them in 'model'")
    private List<String> pools = List.of();

    @Option(
            names = "--traces",
            required = true,
            paramLabel = "DIR",
            description = "the recorded requests; the engines must have been started with the same")
    private Path traces = Path.of("");

    @Option(
            names = "--rate",
            required = true,
            paramLabel = "N",
            description = "requests a second to each pool, at random moments")
    private double rate;

    @Option(
            names = "--max-tokens",
            paramLabel = "N",
            defaultValue = "128",
            description = "tokens of each answer (default: ${DEFAULT-VALUE})")
    private int maxTokens = 128;

    @Option(
            names = "--time-scale",
            paramLabel = "F",
            defaultValue = "1",
            description = "what the engines were started with; times are divided by it (default: ${DEFAULT-VALUE})")
    private double timeScale = 1;

    @Option(
            names = "--window",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "over how long figures are (default: ${DEFAULT-VALUE})")
    private int window = 60;

    @Option(names = "--seconds", paramLabel = "N", description = "how long to send (default: until it is stopped)")
    private int seconds = Integer.MAX_VALUE;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "the same seed sends the same requests at the same moments (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            defaultValue = "compare",
            description = "what the router calls this client (default: ${DEFAULT-VALUE})")
    private String name = "compare";

    @Option(names = "--supervised", description = "stop when standard input ends")
    private boolean supervised;

    /** @param home the root of the checkout */
    public CompareCommand(Console console, Path home) {
        this.console = console;
        this.home = home;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkOptions();
        AtomicBoolean stopped = new AtomicBoolean();
        if (supervised) {
            new Lifeline(System.in, () -> stopped.set(true)).start();
        }
        try (HttpClient http = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(Duration.ofSeconds(5))
                        .executor(Executors.newFixedThreadPool(
                                WORKERS,
                                Thread.ofPlatform().daemon().name("traffic-", 0).factory()))
                        .build();
                HttpClient control = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(Duration.ofSeconds(2))
                        .build()) {
            print(send(http, control, stopped));
            // What is still under way does not count.
            http.shutdownNow();
        }
        return 0;
    }

    private List<Target> send(HttpClient http, HttpClient control, AtomicBoolean stopped)
            throws IOException, InterruptedException {
        EldrClient client = router.client(control, home);
        List<Target> targets = targets(client);
        // Before the time begins to run: reading takes a while on a busy machine.
        RequestSequence sequence = new RequestSequence(requests(), rate, seed);
        Reporter reporter = new Reporter(control, client, targets, name, note(), console, System::nanoTime);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        BooleanSupplier goOn = () -> !stopped.get() && System.nanoTime() - end < 0;
        try (ScheduledExecutorService reports = Executors.newSingleThreadScheduledExecutor()) {
            var _ = reports.scheduleWithFixedDelay(
                    reporter::report, 0, REPORT_PERIOD.toMillis(), TimeUnit.MILLISECONDS);
            new Traffic(http, router.address(), targets, maxTokens, timeScale, System::nanoTime).run(sequence, goOn);
            reports.shutdownNow();
        }
        return targets;
    }

    private List<Target> targets(EldrClient client) {
        List<Target> targets = new ArrayList<>();
        JsonNode known = client.get("/v1/pools").path("pools");
        for (String name : pools) {
            int layers = known.valueStream()
                    .filter(pool -> pool.path("name").asString("").equals(name))
                    .mapToInt(pool -> pool.path("layers").asInt(0))
                    .findFirst()
                    .orElseThrow(() -> new CommandFailedException("The router has no pool " + name));
            targets.add(new Target(name, layers, Duration.ofSeconds(window)));
        }
        return targets;
    }

    private List<TraceRequest> requests() throws IOException {
        List<TraceRequest> requests = RoutingTrace.read(traces).requests().stream()
                .filter(request -> request.prefillTokens() > 0 && request.decodeTokens() > 0)
                .toList();
        if (requests.isEmpty()) {
            throw new CommandFailedException("No request in " + traces + " has both a prompt and decoded tokens");
        }
        return requests;
    }

    private String note() {
        return "each request goes to every pool at the same moment"
                + (timeScale == 1
                        ? ""
                        : "; engines run " + plain(timeScale)
                                + " times slower than what they simulate, and times are divided by that");
    }

    private void print(List<Target> targets) {
        ObjectNode summary = JsonNodeFactory.instance
                .objectNode()
                .put("rate", rate)
                .put("maxTokens", maxTokens)
                .put("timeScale", timeScale)
                .put("seed", seed);
        ObjectNode figures = summary.putObject("pools");
        for (Target target : targets) {
            figures.set(target.pool(), target.report(System.nanoTime()));
        }
        console.result(summary.toString());
    }

    private void checkOptions() {
        require(rate > 0 && rate <= MAX_RATE, "--rate must be above 0 and at most " + MAX_RATE + " but is " + rate);
        require(maxTokens > 1, "--max-tokens must be at least 2 but is " + maxTokens);
        require(timeScale > 0 && timeScale <= 1_000, "--time-scale must be above 0 and at most 1000");
        require(window > 0, "--window must be at least 1 but is " + window);
        require(seconds > 0, "--seconds must be at least 1 but is " + seconds);
    }

    private static void require(boolean good, String otherwise) {
        if (!good) {
            throw new UsageException(otherwise);
        }
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }
}
