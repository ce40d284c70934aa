package io.eldr.launcher.report;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.trace.GatingSums;
import io.eldr.core.trace.RoutingTrace;
import io.eldr.core.trace.SignatureSource;
import io.eldr.simulator.report.TraceSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The trace sets of the report: the checkout's own, published ones where they lie beside it, and whatever is named.
 *
 * @param sets those that are there
 * @param absent the others, and why
 */
record KnownTraces(List<TraceSet> sets, List<String> absent) {
    private static final int DECODE_TOKENS = 48;

    private static final List<Published> PUBLISHED = List.of(
            new Published(
                    "esft-deepseek-v2-lite",
                    "213 requests, the answers are reference texts and not the model's own; law and translation are"
                            + " bad cases"),
            new Published(
                    "gpt-oss-20b-decode",
                    "no prompts were recorded: the first 48 decode tokens stand in for them, which is a proxy"),
            new Published(
                    "mixtral-8x7b-mmlu-prefill-counts",
                    "prompts only; prompts of a subject share their examples, so subjects look cleaner than in"
                            + " service"));

    KnownTraces {
        sets = List.copyOf(sets);
        absent = List.copyOf(absent);
    }

    private record Published(String name, String caveat) {}

    /**
     * @param home the checkout
     * @param named folders of further traces
     */
    static KnownTraces find(Path home, boolean quick, List<Path> named) throws IOException {
        List<TraceSet> sets = new ArrayList<>();
        List<String> absent = new ArrayList<>();
        sets.add(read(
                "own",
                home.resolve("data/own/small-moe-28M/serving"),
                "a model of 28 million parameters, made for this project: good for comparing methods, not for"
                        + " foretelling a production model's gain"));
        List<Path> further = new ArrayList<>(named);
        Path shared = home.resolveSibling("shared").resolve("data/routing");
        for (Published published : PUBLISHED) {
            Path folder = further.stream()
                    .filter(path -> path.endsWith(published.name()))
                    .findFirst()
                    .orElse(shared.resolve(published.name()));
            boolean asked = further.remove(folder);
            if (quick && !asked) {
                absent.add(published.name() + ": left out by --quick");
            } else if (asked || Files.isDirectory(folder)) {
                sets.add(read(published.name(), folder, published.caveat()));
            } else {
                absent.add(published.name() + ": not there; give its folder with --traces");
            }
        }
        for (Path folder : further) {
            sets.add(read(String.valueOf(folder.getFileName()), folder, ""));
        }
        return new KnownTraces(sets, absent);
    }

    private static TraceSet read(String name, Path folder, String caveat) throws IOException {
        try {
            RoutingTrace trace = RoutingTrace.read(folder);
            boolean prompts = trace.requests().stream().anyMatch(request -> request.prefillTokens() > 0);
            SignatureSource source =
                    prompts ? new SignatureSource.Prefill() : new SignatureSource.Decode(DECODE_TOKENS);
            return TraceSet.of(name, trace, source, prompts ? GatingSums.read(folder, trace) : List.of(), caveat);
        } catch (InvalidInputException e) {
            throw new InvalidInputException("--traces " + folder + ": " + e.field(), e.reason());
        }
    }
}
