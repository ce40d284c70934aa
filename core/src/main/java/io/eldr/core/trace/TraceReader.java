package io.eldr.core.trace;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads and checks the files of a trace's directory. */
final class TraceReader {
    static final String META = "meta.json";
    static final String INDEX = "index.jsonl";

    private final Path directory;

    TraceReader(Path directory) {
        this.directory = directory;
    }

    RoutingTrace read() throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new InvalidInputException(META, directory + " is not a directory");
        }
        JsonFields meta = JsonFields.parse(META, "", text(META));
        TraceFormat format = TraceFormat.named(meta.text("format"));
        String model = meta.text("model");
        if (model.isBlank()) {
            throw meta.refusal("model", "must not be blank");
        }
        Geometry geometry = geometry(meta, format);

        List<IndexEntry> index = index(format);
        Optional<Long> announced = meta.optionalInteger("requests", Integer.MAX_VALUE);
        if (announced.isPresent() && announced.get() != index.size()) {
            throw new InvalidInputException(
                    INDEX, "has " + index.size() + " requests but " + META + " announces " + announced.get());
        }
        DataLayout layout = DataLayout.of(format, geometry, index);
        byte[] data = layout.read(file(format.dataFile()));

        List<TraceRequest> requests = new ArrayList<>(index.size());
        for (IndexEntry entry : index) {
            requests.add(request(format, geometry, entry, data));
        }
        return new RoutingTrace(model, geometry, requests);
    }

    private static Geometry geometry(JsonFields meta, TraceFormat format) {
        int layers = (int) meta.integer("layers", Integer.MAX_VALUE);
        int experts = (int) meta.integer("experts", Integer.MAX_VALUE);
        int topK = (int) meta.integer("topK", Integer.MAX_VALUE);
        if (experts > format.maxExperts()) {
            throw meta.refusal(
                    "experts",
                    "is " + experts + " but " + format.tag() + " can name " + format.maxExperts() + " at most");
        }
        try {
            return new Geometry(layers, experts, topK);
        } catch (InvalidInputException e) {
            throw meta.refusal(e.field(), e.reason());
        }
    }

    private List<IndexEntry> index(TraceFormat format) throws IOException {
        List<IndexEntry> entries = new ArrayList<>();
        Map<String, Integer> lines = new HashMap<>();
        try (BufferedReader reader = Files.newBufferedReader(file(INDEX))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                int number = entries.size() + 1;
                IndexEntry entry = IndexEntry.parse(number, line, format);
                Integer earlier = lines.putIfAbsent(entry.id(), number);
                if (earlier != null) {
                    throw new InvalidInputException(
                            INDEX, "line " + number + ": id '" + entry.id() + "' is on line " + earlier + " already");
                }
                entries.add(entry);
            }
        } catch (CharacterCodingException e) {
            throw new InvalidInputException(INDEX, "line " + (entries.size() + 1) + " or later is not UTF-8");
        }
        if (entries.isEmpty()) {
            throw new InvalidInputException(INDEX, "has no requests");
        }
        return entries;
    }

    private static TraceRequest request(TraceFormat format, Geometry geometry, IndexEntry entry, byte[] data) {
        int base = (int) entry.offset();
        Recording recording = switch (format) {
            case TOKEN_EXPERTS -> tokenExperts(geometry, entry, data, base);
            case PREFILL_COUNTS -> promptCounts(geometry, entry, data, base);
        };
        return new TraceRequest(entry.id(), entry.domain(), entry.prefillTokens(), entry.decodeTokens(), recording);
    }

    /** Every row must name k distinct experts below E; then every range of tokens sums to tokens x k. */
    private static TokenExperts tokenExperts(Geometry geometry, IndexEntry entry, byte[] data, int base) {
        int tokens = entry.prefillTokens() + entry.decodeTokens();
        int topK = geometry.topK();
        int[] lastRow = new int[geometry.experts()];
        int rows = tokens * geometry.layers();
        for (int row = 0; row < rows; row++) {
            for (int rank = 0; rank < topK; rank++) {
                int expert = data[base + row * topK + rank] & 0xFF;
                if (expert >= geometry.experts()) {
                    throw refusal(geometry, entry, row, "expert id " + expert + " is not below " + geometry.experts());
                }
                if (lastRow[expert] == row + 1) {
                    throw refusal(
                            geometry,
                            entry,
                            row,
                            "expert " + expert + " is named twice, so the row does not hold " + topK + " experts");
                }
                lastRow[expert] = row + 1;
            }
        }
        return new TokenExperts(data, base, tokens, geometry);
    }

    private static InvalidInputException refusal(Geometry geometry, IndexEntry entry, int row, String reason) {
        int token = row / geometry.layers();
        String phase = token < entry.prefillTokens() ? "prefill" : "decode";
        return new InvalidInputException(
                TraceFormat.TOKEN_EXPERTS.dataFile(),
                "request " + entry.id() + ", layer " + row % geometry.layers() + ", token " + token + " (" + phase
                        + "): " + reason);
    }

    private static PromptCounts promptCounts(Geometry geometry, IndexEntry entry, byte[] data, int base) {
        PromptCounts recorded = new PromptCounts(data, base, geometry);
        ExpertCounts counts = recorded.prefill(entry.prefillTokens());
        String file = TraceFormat.PREFILL_COUNTS.dataFile();
        try {
            counts.requireRowSums(file, entry.prefillTokens(), geometry.topK());
        } catch (InvalidInputException e) {
            throw new InvalidInputException(file, "request " + entry.id() + ", " + e.reason());
        }
        return recorded;
    }

    private String text(String name) throws IOException {
        try {
            return Files.readString(file(name));
        } catch (CharacterCodingException e) {
            throw new InvalidInputException(name, "is not UTF-8");
        }
    }

    private Path file(String name) {
        Path file = directory.resolve(name);
        if (!Files.isRegularFile(file)) {
            throw new InvalidInputException(name, "is missing in " + directory);
        }
        return file;
    }
}
