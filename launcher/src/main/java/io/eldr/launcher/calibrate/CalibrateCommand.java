package io.eldr.launcher.calibrate;

import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.artifact.ReferenceJson;
import io.eldr.core.calibration.Calibration;
import io.eldr.core.calibration.CalibrationOptions;
import io.eldr.core.calibration.CalibrationReport;
import io.eldr.core.calibration.Calibrator;
import io.eldr.core.calibration.GatingComparison;
import io.eldr.core.calibration.MaskChoice;
import io.eldr.core.calibration.PairChoice;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.Representation;
import io.eldr.core.trace.GatingSums;
import io.eldr.core.trace.GatingValue;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Parallel;
import io.eldr.launcher.console.Console;
import io.eldr.launcher.console.OutputFiles;
import io.eldr.launcher.console.UsageException;
import io.eldr.launcher.traffic.TraceOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code ./eldr calibrate}: fits an artifact to a recorded trace and reports what it saw. */
@Command(
        name = "calibrate",
        description = "Fits a routing artifact on a recorded trace and prints the report.",
        mixinStandardHelpOptions = true)
public final class CalibrateCommand implements Callable<Integer> {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Console console;

    @Mixin
    private TraceOptions traces = new TraceOptions();

    @Option(
            names = "--clusters",
            required = true,
            paramLabel = "K",
            description = "how many clusters, one for each decoder")
    private int clusters;

    @Option(
            names = "--representation",
            paramLabel = "NAME",
            defaultValue = "auto",
            description = "auto (the one with the highest rho), count, count_idf or binary (default: ${DEFAULT-VALUE})")
    private String representation = "auto";

    @Option(
            names = "--mask",
            paramLabel = "LAYERS",
            defaultValue = "auto",
            description = "auto (greedy by rho), all, or layers like 0,3,5 (default: ${DEFAULT-VALUE})")
    private String mask = "auto";

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "of the split, the pairs and the clusters' starts (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--pairs",
            paramLabel = "N|all",
            defaultValue = "30000",
            description = "over how many random pairs of requests rho is taken (default: ${DEFAULT-VALUE})")
    private String pairs = "30000";

    @Option(
            names = "--hold-out",
            paramLabel = "SHARE",
            defaultValue = "0.2",
            description = "share of the requests kept for choosing, and as many again for judging; 0 keeps none"
                    + " (default: ${DEFAULT-VALUE})")
    private double holdOut;

    @Option(names = "--out", required = true, paramLabel = "FILE", description = "where the artifact goes")
    private Path out = Path.of("");

    @Option(
            names = "--export-json",
            paramLabel = "FILE",
            description = "also write the authors' router file, which binary artifacts do not have")
    private Optional<Path> exportJson = Optional.empty();

    public CalibrateCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        long start = System.nanoTime();
        PairChoice pairChoice = usage(() -> PairChoice.parse(pairs));
        Optional<Representation> chosen = representation.equals("auto")
                ? Optional.empty()
                : Optional.of(usage(() -> Representation.of("representation", representation)));
        OutputFiles.requireFolder(out);
        exportJson.ifPresent(OutputFiles::requireFolder);
        TraceOptions.Requests requests = traces.read();
        List<GatingSums> gating = traces.gatingSums(requests);
        long read = System.nanoTime();
        ModelIdentity model =
                new ModelIdentity(requests.trace().model(), "", requests.trace().geometry());
        MaskChoice maskChoice =
                usage(() -> MaskChoice.parse(mask, model.geometry().layers()));
        CalibrationOptions options =
                usage(() -> new CalibrationOptions(clusters, chosen, maskChoice, seed, pairChoice, holdOut));
        Fitted fitted = fit(model, requests, gating, options);
        Calibration calibration = fitted.calibration();
        OutputFiles.write(out, ArtifactCodec.encode(calibration.artifact()));
        if (exportJson.isPresent()) {
            OutputFiles.write(exportJson.get(), ReferenceJson.write(calibration.artifact()));
        }
        console.result(report(fitted, requests, (read - start) / NANOS_PER_SECOND));
        return 0;
    }

    /** @param gating rho of what the trace also has of the gating network's values */
    private record Fitted(Calibration calibration, Map<GatingValue, CalibrationReport.RhoFigures> gating) {}

    private Fitted fit(
            ModelIdentity model, TraceOptions.Requests requests, List<GatingSums> gating, CalibrationOptions options) {
        int lanes = Runtime.getRuntime().availableProcessors();
        try (ExecutorService executor = Executors.newFixedThreadPool(lanes)) {
            Parallel parallel = Parallel.on(executor, lanes);
            List<RequestSample> samples = requests.samples().samples();
            Calibration calibration = new Calibrator(parallel, System::nanoTime)
                    .calibrate(model, samples, options, requests.decodeTokens(), new ProgressLog(console));
            return new Fitted(calibration, GatingComparison.of(samples, gating, options, parallel));
        }
    }

    /** The core's report with what only the command knows: gating values, requests left out, and the time to read them. */
    private static String report(Fitted fitted, TraceOptions.Requests requests, double readSeconds) {
        JsonMapper mapper = JsonMapper.shared();
        ObjectNode report =
                (ObjectNode) mapper.readTree(fitted.calibration().report().toJson());
        ObjectNode rho = (ObjectNode) report.get("rho");
        fitted.gating().forEach((value, figures) -> {
            ObjectNode found = rho.putObject(value.id());
            put(found, "fit", figures.fit());
            put(found, "heldOut", figures.heldOut());
        });
        report.put("skipped", requests.samples().skipped());
        ObjectNode seconds = (ObjectNode) report.get("seconds");
        ObjectNode withRead = mapper.createObjectNode();
        withRead.put("read", readSeconds);
        withRead.setAll(seconds);
        withRead.put("total", readSeconds + seconds.get("total").asDouble());
        report.set("seconds", withRead);
        return report.toString();
    }

    private static void put(ObjectNode object, String name, OptionalDouble figure) {
        if (figure.isPresent()) {
            object.put(name, figure.getAsDouble());
        } else {
            object.putNull(name);
        }
    }

    /** A value that the command line cannot take is wrong usage. */
    private static <T> T usage(Supplier<T> parsed) {
        try {
            return parsed.get();
        } catch (InvalidInputException e) {
            throw new UsageException("--" + optionOf(e.field()) + " " + e.reason());
        }
    }

    private static String optionOf(String field) {
        return field.equals("holdOut") ? "hold-out" : field;
    }
}
