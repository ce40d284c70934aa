package io.eldr.launcher.simulate;

import io.eldr.core.cost.ModelConstants;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.simulator.cluster.Change;
import io.eldr.simulator.cluster.ClusterSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that say what the simulated machines are. */
final class ClusterOptions {
    @Option(names = "--prefill", required = true, paramLabel = "X", description = "how many prefill workers")
    private int prefillers;

    @Option(
            names = "--decode",
            required = true,
            paramLabel = "Y,..",
            description = "how many decoders; several numbers are compared, each with an artifact of its own")
    private String decoders = "";

    @Option(
            names = "--routers",
            paramLabel = "R",
            defaultValue = "1",
            description = "how many routers share the pool, each with its own view of the loads"
                    + " (default: ${DEFAULT-VALUE})")
    private int routers;

    @Option(
            names = "--scrape-seconds",
            paramLabel = "S",
            defaultValue = "1",
            description = "how often each of several routers asks the engines for their load"
                    + " (default: ${DEFAULT-VALUE})")
    private double scrapeSeconds;

    @Option(
            names = "--exchange",
            description = "let the routers tell each other at each scrape what their requests are expected to use,"
                    + " which policy union otherwise takes from the decoder's cluster")
    private boolean exchanging;

    @Option(
            names = "--ranks",
            paramLabel = "G",
            defaultValue = "1",
            description = "over how many ranks each decoder spreads its experts (default: ${DEFAULT-VALUE})")
    private int ranks;

    @Option(
            names = "--placed",
            description = "place the ranks' experts as the artifact says, not in the order of their numbers")
    private boolean placed;

    @Option(
            names = "--prefix-cache-tokens",
            paramLabel = "N",
            defaultValue = "0",
            description = "how many prompt tokens each prefill worker keeps; needs arrivals that say what prompts have"
                    + " in common (default: ${DEFAULT-VALUE})")
    private long prefixCacheTokens;

    @Option(
            names = "--at",
            paramLabel = "SECONDS:CHANGE",
            description = "something that happens: 30:fail:3, 60:return:3, 90:add, 120:drain:0; may be given several"
                    + " times")
    private List<String> changes = new ArrayList<>();

    @Option(
            names = "--constants",
            paramLabel = "FILE",
            description =
                    "constants of the decoder model as tools/moe-layer-bench writes them (default: Qwen3-30B-A3B's,"
                            + " scaled to the shape of the traces)")
    private Optional<Path> constants = Optional.empty();

    /** The numbers of decoders to compare. */
    List<Integer> decoders() {
        return Lists.of(decoders, text -> Lists.integer("--decode", text));
    }

    /** Fails early, before anything is read, on whatever does not need the trace. */
    List<Integer> check() {
        changes();
        return decoders();
    }

    /** How long a worker takes. */
    ModelConstants constants(Geometry geometry) throws IOException {
        ModelConstants scaled = ModelConstants.scaledToQwen(geometry.layers(), geometry.experts());
        return constants.isPresent() ? ConstantsFile.read(constants.get(), geometry, scaled) : scaled;
    }

    ClusterSettings settings(ModelConstants model) {
        return new ClusterSettings(
                prefillers,
                decoders().getFirst(),
                model,
                ranks,
                placed,
                routers,
                scrapeSeconds,
                exchanging,
                prefixCacheTokens,
                changes());
    }

    private List<Change.Timed> changes() {
        int fewest = decoders().stream().min(Comparator.naturalOrder()).orElseThrow();
        return changes.stream().map(text -> change(text, fewest)).toList();
    }

    private static Change.Timed change(String text, int decoders) {
        String[] parts = text.split(":", -1);
        boolean one = parts.length == 3;
        if (parts.length == 2 && parts[1].equals("add")) {
            return new Change.Timed(Lists.number("--at", parts[0]), new Change.Add());
        }
        int decoder = one ? Lists.integer("--at", parts[2]) : 0;
        if (one && decoder >= decoders) {
            throw new InvalidInputException(
                    "--at", "names decoder " + decoder + " but they are numbered 0 to " + (decoders - 1));
        }
        Change change = switch (one ? parts[1] : "") {
            case "fail" -> new Change.Fail(decoder);
            case "return" -> new Change.Return(decoder);
            case "drain" -> new Change.Drain(decoder);
            default ->
                throw new InvalidInputException(
                        "--at", "must be like 30:fail:3, 60:return:3, 90:add or 120:drain:0 but is '" + text + "'");
        };
        return new Change.Timed(Lists.number("--at", parts[0]), change);
    }
}
