package io.eldr.launcher.report;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.trace.GatingSums;
import io.eldr.core.trace.RoutingTrace;
import io.eldr.core.trace.SignatureSource;
import io.eldr.simulator.report.ExpertSums;
import io.eldr.simulator.report.TraceSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The trace sets of the report: the checkout's own, published ones where they lie beside it, and whatever is named.
 *
 * @param sets those that are there
 * @param sums what is there of models that publish no requests
 * @param absent the others, and why
 */
record KnownTraces(List<TraceSet> sets, List<ExpertSums> sums, List<String> absent) {
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
        sums = List.copyOf(sums);
        absent = List.copyOf(absent);
    }

    private record Published(String name, String caveat) {}

    /**
     * @param home the checkout
     * @param named folders of further traces
     */
    static KnownTraces find(Path home, boolean quick, List<Path> named) throws IOException {
        Search search = new Search(home.resolveSibling("shared").resolve("data/routing"), quick, named);
        List<TraceSet> sets = new ArrayList<>();
        sets.add(read(
                "own",
                home.resolve("data/own/small-moe-28M/serving"),
                "a model of 28 million parameters, made for this project: good for comparing methods, not for"
                        + " foretelling a production model's gain"));
        for (Published published : PUBLISHED) {
            Optional<Path> folder = search.folder(published.name());
            if (folder.isPresent()) {
                sets.add(read(published.name(), folder.get(), published.caveat()));
            }
        }
        List<ExpertSums> sums = new ArrayList<>();
        for (PublishedSums published : PublishedSums.values()) {
            Optional<Path> folder = search.folder(published.folderName());
            if (folder.isPresent()) {
                sums.addAll(read(published, folder.get()));
            }
        }
        for (Path folder : search.further) {
            sets.add(read(String.valueOf(folder.getFileName()), folder, ""));
        }
        return new KnownTraces(sets, sums, search.absent);
    }

    /** Where published folders are, and which are not there. */
    private static final class Search {
        private final Path shared;
        private final boolean quick;
        private final List<Path> further;
        private final List<String> absent = new ArrayList<>();

        Search(Path shared, boolean quick, List<Path> named) {
            this.shared = shared;
            this.quick = quick;
            this.further = new ArrayList<>(named);
        }

        /** A folder of this name: one that was named, which then is no further one, or else one beside the checkout. */
        Optional<Path> folder(String name) {
            Optional<Path> asked =
                    further.stream().filter(path -> path.endsWith(name)).findFirst();
            if (asked.isPresent()) {
                further.remove(asked.get());
                return asked;
            }
            Path beside = shared.resolve(name);
            if (!quick && Files.isDirectory(beside)) {
                return Optional.of(beside);
            }
            absent.add(name + (quick ? ": left out by --quick" : ": not there; give its folder with --traces"));
            return Optional.empty();
        }
    }

    private static List<ExpertSums> read(PublishedSums published, Path folder) throws IOException {
        try {
            return published.read(folder);
        } catch (InvalidInputException e) {
            throw refusal(folder, e);
        }
    }

    private static TraceSet read(String name, Path folder, String caveat) throws IOException {
        try {
            RoutingTrace trace = RoutingTrace.read(folder);
            boolean prompts = trace.requests().stream().anyMatch(request -> request.prefillTokens() > 0);
            SignatureSource source =
                    prompts ? new SignatureSource.Prefill() : new SignatureSource.Decode(DECODE_TOKENS);
            return TraceSet.of(name, trace, source, prompts ? GatingSums.read(folder, trace) : List.of(), caveat);
        } catch (InvalidInputException e) {
            throw refusal(folder, e);
        }
    }

    private static InvalidInputException refusal(Path folder, InvalidInputException cause) {
        return new InvalidInputException("--traces " + folder + ": " + cause.field(), cause.reason());
    }
}
