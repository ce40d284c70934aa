package io.eldr.launcher.simulate;

import io.eldr.core.routing.PolicyName;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.trace.ArrivalTrace;
import io.eldr.core.trace.SignatureSource;
import io.eldr.launcher.traffic.TraceOptions;
import io.eldr.simulator.cluster.ClusterSettings;
import io.eldr.simulator.study.StudyPlan;
import io.eldr.simulator.study.TauChoice;
import io.eldr.simulator.workload.Arrivals;
import io.eldr.simulator.workload.Mix;
import io.eldr.simulator.workload.MixDrift;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The options that say what is compared and under which load. */
final class LoadOptions {
    private static final String POISSON = "poisson";

    private static final Pattern DRIFT = Pattern.compile("(.+)@([^-]+)-([^-]+)");

    /** Where a trace records no prompts. */
    private static final int ASSUMED_PROMPT_TOKENS = 512;

    @Option(
            names = "--arrivals",
            paramLabel = "FILE|poisson",
            defaultValue = POISSON,
            description =
                    "when requests come: at random, or as an arrival trace has them (Azure 2023 CSV, Mooncake JSON"
                            + " lines, gzipped or not; its lengths are taken too) (default: ${DEFAULT-VALUE})")
    private String arrivals = POISSON;

    @Option(
            names = "--rate",
            paramLabel = "R,..",
            description = "requests a second; needed for poisson, an arrival trace's time is scaled to it"
                    + " (default: as recorded)")
    private Optional<String> rates = Optional.empty();

    @Option(
            names = "--policies",
            required = true,
            paramLabel = "NAME,..",
            description = "of eldr, union, random, round-robin, jsq, p2c, domain")
    private String policies = "";

    @Option(
            names = "--tau",
            paramLabel = "auto|T,..",
            defaultValue = "auto",
            description = "width of eldr's band: what the artifact recommends, or numbers to compare"
                    + " (default: ${DEFAULT-VALUE})")
    private String taus = "auto";

    @Option(
            names = "--mix",
            paramLabel = "MIX",
            defaultValue = "recorded",
            description = "how often each label comes: recorded, uniform, zipf:s or top2:0.75"
                    + " (default: ${DEFAULT-VALUE})")
    private String mix = "recorded";

    @Option(
            names = "--drift",
            paramLabel = "MIX@FROM-TO",
            description = "what the mix becomes between two points of the run, such as zipf:-1@0.4-0.6")
    private Optional<String> drift = Optional.empty();

    @Option(
            names = "--requests",
            paramLabel = "N",
            description = "how many requests come in each run; the first fifth and the last tenth are not measured"
                    + " (default: 10000, or an arrival trace once)")
    private Optional<Integer> requests = Optional.empty();

    @Option(
            names = "--prompt-tokens",
            paramLabel = "N",
            description = "length of each prompt under poisson (default: as recorded, or 512 where no prompts are)")
    private Optional<Integer> promptTokens = Optional.empty();

    @Option(
            names = "--output-tokens",
            paramLabel = "N",
            defaultValue = "512",
            description = "length of each answer under poisson (default: ${DEFAULT-VALUE})")
    private int outputTokens;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "3",
            description = "how many times everything is repeated with another split, fit and draw"
                    + " (default: ${DEFAULT-VALUE})")
    private int seeds;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "the first of the seeds (default: ${DEFAULT-VALUE})")
    private long seed;

    /** The arrival trace that is asked for; empty for poisson. */
    Optional<ArrivalTrace> trace() throws IOException {
        return arrivals.equals(POISSON) ? Optional.empty() : Optional.of(ArrivalTrace.read(Path.of(arrivals)));
    }

    List<PolicyName> policies() {
        return Lists.of(policies, name -> PolicyName.of("policies", name));
    }

    StudyPlan plan(
            Optional<ArrivalTrace> trace,
            TraceOptions.Requests recorded,
            ClusterSettings cluster,
            List<Integer> sizes) {
        List<Double> given = rates.isEmpty() ? List.of() : Lists.of(rates.get(), text -> Lists.number("--rate", text));
        return new StudyPlan(
                policies(),
                Lists.of(taus, TauChoice::parse),
                sizes,
                given,
                cluster,
                trace.isPresent() ? recorded(trace.get()) : poisson(recorded, given),
                Mix.parse(mix),
                drift.map(LoadOptions::drift),
                requests.orElse(trace.map(ArrivalTrace::size).orElse(StudyPlan.DEFAULT_REQUESTS)),
                seeds,
                seed);
    }

    private Arrivals recorded(ArrivalTrace trace) {
        return new Arrivals.Recorded(String.valueOf(Path.of(arrivals).getFileName()), trace, OptionalDouble.empty());
    }

    private Arrivals poisson(TraceOptions.Requests recorded, List<Double> given) {
        if (given.isEmpty()) {
            throw new InvalidInputException("--rate", "must be given for poisson arrivals");
        }
        boolean prompts = recorded.source() instanceof SignatureSource.Prefill;
        OptionalInt length = promptTokens
                .map(OptionalInt::of)
                .orElse(prompts ? OptionalInt.empty() : OptionalInt.of(ASSUMED_PROMPT_TOKENS));
        return new Arrivals.Poisson(given.getFirst(), length, outputTokens);
    }

    private static MixDrift drift(String text) {
        Matcher parts = DRIFT.matcher(text);
        if (!parts.matches()) {
            throw new InvalidInputException("--drift", "must be like zipf:-1@0.4-0.6 but is '" + text + "'");
        }
        return new MixDrift(
                Mix.parse(parts.group(1)),
                Lists.number("--drift", parts.group(2)),
                Lists.number("--drift", parts.group(3)));
    }
}
