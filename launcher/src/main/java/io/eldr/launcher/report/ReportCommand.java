package io.eldr.launcher.report;

import io.eldr.core.trace.ArrivalTrace;
import io.eldr.core.vector.Parallel;
import io.eldr.launcher.console.Console;
import io.eldr.launcher.console.OutputFiles;
import io.eldr.launcher.console.UsageException;
import io.eldr.simulator.report.Evaluation;
import io.eldr.simulator.report.EvaluationReport;
import io.eldr.simulator.report.ReportPlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./eldr report}: the paper's figures on recorded traces. */
@Command(
        name = "report",
        description = "Measures the ELDR paper's figures on recorded traces and writes them as one page and as JSON.",
        mixinStandardHelpOptions = true)
public final class ReportCommand implements Callable<Integer> {
    private static final int MIN_REQUESTS = 10;
    private static final int MAX_SEEDS = 100;

    private final Console console;
    private final Path home;

    @Option(
            names = "--quick",
            description = "only the traces that come with ELDR, with fewer seeds, rates and requests")
    private boolean quick;

    @Option(
            names = "--traces",
            paramLabel = "DIR",
            description = "folder of a further routing trace; may be given several times (published ones are found"
                    + " in ../shared/data/routing beside the checkout)")
    private List<Path> traces = new ArrayList<>();

    @Option(
            names = "--arrivals",
            paramLabel = "FILE",
            description = "arrival trace with the blocks of its prompts, for the prefix cache (Mooncake's is found in"
                    + " ../shared/data/arrivals beside the checkout)")
    private Optional<Path> arrivals = Optional.empty();

    @Option(
            names = "--html",
            paramLabel = "FILE",
            defaultValue = "eldr-report.html",
            description = "where the page goes (default: ${DEFAULT-VALUE})")
    private Path html = Path.of("eldr-report.html");

    @Option(names = "--json", paramLabel = "FILE", description = "where the JSON goes (default: standard output)")
    private Optional<Path> json = Optional.empty();

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "the first of the seeds (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "how many seeds each simulation has (default: 5, quick 2)")
    private Optional<Integer> seeds = Optional.empty();

    @Option(
            names = "--requests",
            paramLabel = "N",
            description = "how many requests each simulation has (default: 6000, quick 2500)")
    private Optional<Integer> requests = Optional.empty();

    public ReportCommand(Console console, Path home) {
        this.console = console;
        this.home = home;
    }

    @Override
    public Integer call() throws IOException {
        ReportPlan plan = plan();
        OutputFiles.requireFolder(html);
        json.ifPresent(OutputFiles::requireFolder);
        KnownTraces known = KnownTraces.find(home, quick, traces);
        EvaluationReport report = measure(plan, known, prompts());
        String text = report.toJson();
        OutputFiles.write(html, HtmlPage.of(report, text).getBytes(StandardCharsets.UTF_8));
        console.log("report: wrote " + html);
        if (json.isPresent()) {
            OutputFiles.write(json.get(), (text + "\n").getBytes(StandardCharsets.UTF_8));
        } else {
            console.result(text);
        }
        return 0;
    }

    private ReportPlan plan() {
        ReportPlan plan = quick ? ReportPlan.quick(seed) : ReportPlan.full(seed);
        if (requests.isPresent()) {
            if (requests.get() < MIN_REQUESTS) {
                throw new UsageException("--requests must be at least " + MIN_REQUESTS + " but is " + requests.get());
            }
            plan = plan.withRequests(requests.get());
        }
        if (seeds.isPresent()) {
            if (seeds.get() < 1 || seeds.get() > MAX_SEEDS) {
                throw new UsageException("--seeds must be between 1 and " + MAX_SEEDS + " but is " + seeds.get());
            }
            plan = plan.withSeeds(seeds.get());
        }
        return plan;
    }

    private Optional<ArrivalTrace> prompts() throws IOException {
        Path beside = home.resolveSibling("shared").resolve("data/arrivals/mooncake_fast25_conversation.jsonl.gz");
        if (arrivals.isEmpty() && (quick || !Files.isRegularFile(beside))) {
            return Optional.empty();
        }
        ArrivalTrace trace = ArrivalTrace.read(arrivals.orElse(beside));
        if (!trace.hasBlocks()) {
            throw new UsageException("--arrivals must name a trace that knows the blocks of its prompts");
        }
        return Optional.of(trace);
    }

    private EvaluationReport measure(ReportPlan plan, KnownTraces known, Optional<ArrivalTrace> prompts) {
        int lanes = Runtime.getRuntime().availableProcessors();
        try (ExecutorService executor = Executors.newFixedThreadPool(lanes)) {
            return Evaluation.run(
                    plan,
                    known.sets(),
                    known.sums(),
                    known.absent(),
                    prompts,
                    Parallel.on(executor, lanes),
                    figure -> console.log("report: " + figure));
        }
    }
}
