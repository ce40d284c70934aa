package io.eldr.engine;

import io.eldr.core.cost.DecoderModel;
import io.eldr.core.cost.ModelConstants;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.trace.RoutingTrace;
import io.eldr.engine.cluster.Cluster;
import io.eldr.engine.cluster.ClusterSettings;
import io.eldr.engine.cluster.Role;
import io.eldr.engine.http.SignatureForm;
import io.eldr.engine.recording.MadeUpRouting;
import io.eldr.engine.recording.Recordings;
import io.eldr.engine.request.RequestLimits;
import io.eldr.engine.worker.EngineSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Starts a cluster and keeps it until the process ends. */
@Command(
        name = "engine-sim",
        description = "Simulated vLLM prefill and decode workers. Prints one line when all of them answer.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class EngineCommand implements Callable<Integer> {

    private final InstantSource clock;
    private final InputStream in;
    private final PrintStream out;

    @Option(
            names = "--prefill",
            paramLabel = "N",
            defaultValue = "0",
            description = "how many prefill workers (default: ${DEFAULT-VALUE})")
    private int prefillers;

    @Option(
            names = "--decode",
            paramLabel = "N",
            defaultValue = "1",
            description = "how many decode workers (default: ${DEFAULT-VALUE})")
    private int decoders = 1;

    @Option(
            names = "--port-base",
            paramLabel = "P",
            defaultValue = "8180",
            description =
                    "the decode workers listen on P and up, the prefill workers after them (default: ${DEFAULT-VALUE})")
    private int portBase = 8_180;

    @Option(names = "--ports", split = ",", description = "these ports instead, decode workers first; 0 is any")
    private List<Integer> ports = new ArrayList<>();

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "where they listen (default: ${DEFAULT-VALUE})")
    private String bind = "127.0.0.1";

    @Option(
            names = "--traces",
            paramLabel = "DIR",
            description = "a recorded trace whose experts the requests use (format moe-routing-u8-v1)")
    private @Nullable Path traces;

    @Option(
            names = "--geometry",
            paramLabel = "LxExK",
            defaultValue = "48x128x8",
            description = "without --traces, routing is made up in this shape (default: ${DEFAULT-VALUE})")
    private String geometry = "48x128x8";

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "what made-up routing is drawn from (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    @Option(
            names = "--time-scale",
            paramLabel = "F",
            defaultValue = "1",
            description = "real seconds for each second of the model; 0 for no delays (default: ${DEFAULT-VALUE})")
    private double timeScale = 1;

    @Option(
            names = "--max-sequences",
            paramLabel = "N",
            defaultValue = "256",
            description = "how many requests a worker decodes at once (default: ${DEFAULT-VALUE})")
    private int maxSequences = 256;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            defaultValue = "1",
            description = "the data-parallel ranks of a worker, which share its experts (default: ${DEFAULT-VALUE})")
    private int ranks = 1;

    @Option(
            names = "--model",
            paramLabel = "NAME",
            split = ",",
            description = "the names it answers to, its own first (default: the trace's)")
    private List<String> models = new ArrayList<>();

    @Option(
            names = "--max-model-length",
            paramLabel = "TOKENS",
            defaultValue = "40960",
            description = "the longest prompt and output together (default: ${DEFAULT-VALUE})")
    private int maxModelLength = 40_960;

    @Option(
            names = "--prefix-cache",
            paramLabel = "TOKENS",
            defaultValue = "65536",
            description = "how many tokens of prompts a worker keeps; 0 for none (default: ${DEFAULT-VALUE})")
    private int prefixCache = 65_536;

    @Option(
            names = "--signature",
            paramLabel = "FORM",
            defaultValue = "eldr_sig",
            description = "how prefill answers tell the experts: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private SignatureForm signature = SignatureForm.ELDR_SIG;

    @Option(
            names = "--lease-seconds",
            paramLabel = "S",
            defaultValue = "30",
            description = "how long KV blocks are kept for a decoder that does not come (default: ${DEFAULT-VALUE})")
    private double leaseSeconds = 30;

    @Option(
            names = "--keep-alive-seconds",
            paramLabel = "S",
            defaultValue = "5",
            description = "after how long an idle connection is closed (default: ${DEFAULT-VALUE})")
    private double keepAliveSeconds = 5;

    @Option(names = "--supervised", description = "stop when standard input ends")
    private boolean supervised;

    /**
     * @param in what a supervisor holds open
     * @param out where the line goes that says that it is ready
     */
    EngineCommand(InstantSource clock, InputStream in, PrintStream out) {
        this.clock = clock;
        this.in = in;
        this.out = out;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        if (supervised) {
            // From the beginning, so that a supervisor's death is seen while traces are read.
            new Lifeline(in, end::countDown).start();
        }
        try (Cluster cluster = Cluster.start(settings(), clock)) {
            out.println("ready " + prefillers + "P" + decoders + "D" + line(" decode ", cluster, Role.DECODE)
                    + line(" prefill ", cluster, Role.PREFILL));
            out.flush();
            end.await();
        }
        return CommandLine.ExitCode.OK;
    }

    /** Input that is wrong is said in a line, without a stack. */
    static int explain(Exception exception, CommandLine line, CommandLine.ParseResult parsed) {
        if (exception instanceof InvalidInputException
                || exception instanceof IllegalArgumentException
                || exception instanceof IOException) {
            line.getErr().println("engine-sim: " + exception.getMessage());
            return CommandLine.ExitCode.USAGE;
        }
        exception.printStackTrace(line.getErr());
        return CommandLine.ExitCode.SOFTWARE;
    }

    private ClusterSettings settings() throws IOException {
        Recordings recordings =
                traces == null ? MadeUpRouting.of(shape(geometry), seed) : Recordings.of(RoutingTrace.read(traces));
        Geometry shape = recordings.geometry();
        List<String> names = models.isEmpty() ? List.of(recordings.model()) : models;
        return new ClusterSettings(
                prefillers,
                decoders,
                bind,
                ports.isEmpty()
                        ? IntStream.range(portBase, portBase + prefillers + decoders)
                                .boxed()
                                .toList()
                        : ports,
                timeScale,
                seconds(keepAliveSeconds),
                signature,
                new EngineSettings(
                        new DecoderModel(ModelConstants.scaledToQwen(shape.layers(), shape.experts())),
                        recordings,
                        new RequestLimits(names, maxModelLength),
                        ranks,
                        maxSequences,
                        prefixCache,
                        seconds(leaseSeconds)));
    }

    private static Geometry shape(String text) {
        try {
            int[] sizes = Arrays.stream(text.split("x", -1))
                    .mapToInt(Integer::parseInt)
                    .toArray();
            if (sizes.length == 3) {
                return new Geometry(sizes[0], sizes[1], sizes[2]);
            }
        } catch (NumberFormatException e) {
            // Refused below.
        }
        throw new InvalidInputException("--geometry", "must be like 48x128x8 but is '" + text + "'");
    }

    private static Duration seconds(double seconds) {
        return Duration.ofNanos((long) (seconds * 1e9));
    }

    private static String line(String label, Cluster cluster, Role role) {
        return cluster.urls(role).isEmpty()
                ? ""
                : label + cluster.urls(role).stream().map(Object::toString).collect(Collectors.joining(","));
    }
}
