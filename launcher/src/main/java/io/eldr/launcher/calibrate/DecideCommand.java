package io.eldr.launcher.calibrate;

import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.artifact.ReferenceJson;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.routing.BandRule;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.trace.RequestSample;
import io.eldr.launcher.console.CommandFailedException;
import io.eldr.launcher.console.Console;
import io.eldr.launcher.console.UsageException;
import io.eldr.launcher.traffic.TraceOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./eldr decide}: where an artifact sends each request of a trace, with loads that stay as given. */
@Command(
        name = "decide",
        description = "Says where an artifact sends each request of a trace, one JSON object a line.",
        mixinStandardHelpOptions = true)
public final class DecideCommand implements Callable<Integer> {
    private final Console console;

    @Option(
            names = "--artifact",
            required = true,
            paramLabel = "FILE",
            description = "a binary artifact or the authors' router file")
    private Path file = Path.of("");

    @Mixin
    private TraceOptions traces = new TraceOptions();

    @Option(names = "--tau", paramLabel = "T", description = "width of the band (default: the artifact's)")
    private Optional<Double> tau = Optional.empty();

    @Option(
            names = "--min-candidates",
            paramLabel = "M",
            description = "fill the band with the nearest up to this many (default: 2, but 1 for up to 4 decoders)")
    private Optional<Integer> minCandidates = Optional.empty();

    @Option(
            names = "--loads",
            paramLabel = "N,N,..",
            description = "requests in flight on each decoder (default: 0 everywhere)")
    private Optional<String> loads = Optional.empty();

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "draws between decoders that are equal otherwise (default: ${DEFAULT-VALUE})")
    private long seed;

    public DecideCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        TraceOptions.Requests requests = traces.read();
        RoutingArtifact artifact = artifact(requests.trace().geometry());
        FixedDecider decider = new FixedDecider(artifact, bandRule(artifact), loads(artifact.clusters()));
        RandomGenerator random = new SplittableRandom(seed);
        for (RequestSample request : requests.samples().samples()) {
            console.out().println(decider.decide(request, random));
        }
        console.out().flush();
        if (requests.samples().skipped() > 0) {
            console.log("decide: skipped " + requests.samples().skipped() + " requests with too few tokens");
        }
        return 0;
    }

    private RoutingArtifact artifact(Geometry trace) throws IOException {
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new CommandFailedException("--artifact: there is no file " + file, e);
        }
        RoutingArtifact artifact = ArtifactCodec.isBinary(bytes)
                ? ArtifactCodec.decode(bytes)
                : ReferenceJson.read(bytes, trace.topK(), "");
        if (!artifact.model().geometry().equals(trace)) {
            throw new CommandFailedException(
                    "the artifact is for " + shape(artifact.model().geometry()) + " but the trace has " + shape(trace));
        }
        return artifact;
    }

    private BandRule bandRule(RoutingArtifact artifact) {
        try {
            return new BandRule(
                    tau.orElse(artifact.recommendedTau()),
                    minCandidates.orElse(BandRule.defaultMinCandidates(artifact.clusters())));
        } catch (InvalidInputException e) {
            throw new UsageException(
                    (e.field().equals("minCandidates") ? "--min-candidates" : "--" + e.field()) + " " + e.reason());
        }
    }

    private int[] loads(int decoders) {
        if (loads.isEmpty()) {
            return new int[decoders];
        }
        if (!loads.get().matches("[0-9]{1,9}(,[0-9]{1,9})*")) {
            throw new UsageException("--loads must be whole numbers like 0,3,1 but is '" + loads.get() + "'");
        }
        int[] values = Arrays.stream(loads.get().split(",", -1))
                .mapToInt(Integer::parseInt)
                .toArray();
        if (values.length != decoders) {
            throw new UsageException("--loads names " + values.length + " decoders but the artifact has " + decoders);
        }
        return values;
    }

    private static String shape(Geometry geometry) {
        return geometry.layers() + " layers x " + geometry.experts() + " experts, top-" + geometry.topK();
    }
}
