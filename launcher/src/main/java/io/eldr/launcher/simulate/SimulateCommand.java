package io.eldr.launcher.simulate;

import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.calibration.CalibrationOptions;
import io.eldr.core.calibration.Calibrator;
import io.eldr.core.cost.ModelConstants;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.trace.ArrivalTrace;
import io.eldr.core.vector.Parallel;
import io.eldr.launcher.console.Console;
import io.eldr.launcher.console.OutputFiles;
import io.eldr.launcher.console.UsageException;
import io.eldr.launcher.traffic.TraceOptions;
import io.eldr.simulator.study.FittedCases;
import io.eldr.simulator.study.Study;
import io.eldr.simulator.study.StudyCases;
import io.eldr.simulator.study.StudyPlan;
import io.eldr.simulator.study.StudyReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./eldr simulate}: how fast policies would decode a recorded trace. */
@Command(
        name = "simulate",
        description = "Compares routing policies on a simulated pool that serves the requests of a routing trace.",
        mixinStandardHelpOptions = true)
public final class SimulateCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private TraceOptions traces = new TraceOptions();

    @Mixin
    private LoadOptions load = new LoadOptions();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--fit-share",
            paramLabel = "SHARE",
            defaultValue = "0.5",
            description = "share of the requests that the artifact is fitted on; the others are served"
                    + " (default: ${DEFAULT-VALUE})")
    private double fitShare;

    @Option(
            names = "--true-pattern",
            description =
                    "tell policy union what each request was recorded to use, instead of what its prompt foretells:"
                            + " the most that a better forecast could give")
    private boolean truePattern;

    @Option(names = "--json", paramLabel = "FILE", description = "where the JSON goes (default: standard output)")
    private Optional<Path> json = Optional.empty();

    public SimulateCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        json.ifPresent(OutputFiles::requireFolder);
        List<Integer> decoders = usage(cluster::check);
        usage(load::policies);
        Optional<ArrivalTrace> arrivals = load.trace();
        TraceOptions.Requests requests = traces.read();
        ModelConstants model = cluster.constants(requests.trace().geometry());
        StudyPlan plan = usage(() -> load.plan(arrivals, requests, cluster.settings(model), decoders));
        StudyReport report = run(plan, requests);
        report.toTable().forEach(console.err()::println);
        if (json.isPresent()) {
            OutputFiles.write(json.get(), (report.toJson() + "\n").getBytes(StandardCharsets.UTF_8));
        } else {
            console.result(report.toJson());
        }
        return 0;
    }

    private StudyReport run(StudyPlan plan, TraceOptions.Requests requests) {
        int lanes = Runtime.getRuntime().availableProcessors();
        try (ExecutorService executor = Executors.newFixedThreadPool(lanes)) {
            Parallel parallel = Parallel.on(executor, lanes);
            FittedCases cases = usage(() -> new FittedCases(
                    new ModelIdentity(
                            requests.trace().model(), "", requests.trace().geometry()),
                    requests.samples().samples(),
                    requests.decodeTokens(),
                    fitShare,
                    CalibrationOptions::automatic,
                    new Calibrator(parallel, System::nanoTime)));
            StudyCases asked = truePattern ? cases.tellingTheTruth() : cases;
            return usage(() -> Study.run(plan, asked, parallel, new StudyLog(console)));
        }
    }

    /** A value that the command line cannot take is wrong usage. */
    private static <T> T usage(Supplier<T> parsed) {
        try {
            return parsed.get();
        } catch (InvalidInputException e) {
            throw new UsageException(optionOf(e.field()) + " " + e.reason());
        }
    }

    /** The option that carries what the simulator calls by its own name. */
    private static String optionOf(String field) {
        return switch (field) {
            case "prefillers" -> "--prefill";
            case "decoders" -> "--decode";
            case "samples" -> "--traces";
            default -> field.startsWith("--") ? field : "--" + kebab(field);
        };
    }

    private static String kebab(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
