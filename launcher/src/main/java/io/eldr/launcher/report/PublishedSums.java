package io.eldr.launcher.report;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.simulator.report.ExpertSums;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads what was published of a model's routing as sums over many texts, each publication in its own form. */
enum PublishedSums {
    /** {@code {"models": {NAME: {"experts": E, "domains": {DOMAIN: [layer][expert]}}}}}. */
    OLMOE("olmoe-domain-aggregates", "expert_counts.json") {
        @Override
        List<ExpertSums> parse(JsonNode root) {
            List<ExpertSums> found = new ArrayList<>();
            for (Map.Entry<String, JsonNode> model : root.path("models").properties()) {
                String at = "models." + model.getKey();
                int experts = model.getValue().path("experts").asInt(0);
                found.add(
                        total(model.getKey(), at + ".domains", model.getValue().path("domains"), experts));
            }
            return found;
        }
    },
    /** {@code {"experts": E, "counts": {LANGUAGE: [layer][expert]}}}. */
    QWEN3("qwen3-30b-a3b-mgsm-aggregates", "counts.json.gz") {
        @Override
        List<ExpertSums> parse(JsonNode root) {
            return List.of(total(
                    "qwen3-30b-a3b-mgsm",
                    "counts",
                    root.path("counts"),
                    root.path("experts").asInt(0)));
        }
    };

    private final String folderName;
    private final String file;

    PublishedSums(String folderName, String file) {
        this.folderName = folderName;
        this.file = file;
    }

    /** The name of the folder that it comes in. */
    String folderName() {
        return folderName;
    }

    /** @throws InvalidInputException naming the file, and the place in it that is at fault */
    List<ExpertSums> read(Path folder) throws IOException {
        Path path = folder.resolve(file);
        if (!Files.isRegularFile(path)) {
            throw new InvalidInputException(file, "is missing in " + folder);
        }
        try (InputStream raw = Files.newInputStream(path);
                InputStream in = file.endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
            List<ExpertSums> found = parse(JsonMapper.shared().readTree(in));
            if (found.isEmpty()) {
                throw new InvalidInputException(file, "has no model");
            }
            return found;
        } catch (JacksonException e) {
            throw new InvalidInputException(file, "is not intact JSON: " + e.getOriginalMessage());
        }
    }

    abstract List<ExpertSums> parse(JsonNode root);

    /** The sum over the kinds of text. */
    ExpertSums total(String name, String at, JsonNode kinds, int experts) {
        List<List<Long>> sum = new ArrayList<>();
        for (Map.Entry<String, JsonNode> kind : kinds.properties()) {
            String place = at + "." + kind.getKey();
            List<List<Long>> layers = layers(place, kind.getValue(), experts);
            if (sum.isEmpty()) {
                sum.addAll(layers);
                continue;
            }
            if (layers.size() != sum.size()) {
                throw new InvalidInputException(
                        file, place + " has " + layers.size() + " layers instead of " + sum.size());
            }
            for (int layer = 0; layer < layers.size(); layer++) {
                sum.set(layer, plus(sum.get(layer), layers.get(layer)));
            }
        }
        if (sum.isEmpty()) {
            throw new InvalidInputException(file, at + " has no counts");
        }
        return new ExpertSums(name, "sums over " + String.join(", ", kinds.propertyNames()), sum);
    }

    private List<List<Long>> layers(String place, JsonNode layers, int experts) {
        List<List<Long>> found = new ArrayList<>();
        for (JsonNode layer : layers) {
            String at = place + "[" + found.size() + "]";
            if (layer.size() != experts || experts == 0) {
                throw new InvalidInputException(file, at + " has " + layer.size() + " counts instead of " + experts);
            }
            List<Long> counts = new ArrayList<>();
            for (JsonNode count : layer) {
                if (!count.isIntegralNumber() || count.asLong() < 0) {
                    throw new InvalidInputException(
                            file, at + "[" + counts.size() + "] must be a count but is " + count);
                }
                counts.add(count.asLong());
            }
            if (counts.stream().mapToLong(Long::longValue).sum() <= 0) {
                throw new InvalidInputException(file, at + " counts nothing");
            }
            found.add(counts);
        }
        return found;
    }

    private static List<Long> plus(List<Long> some, List<Long> more) {
        List<Long> sum = new ArrayList<>();
        for (int i = 0; i < some.size(); i++) {
            sum.add(some.get(i) + more.get(i));
        }
        return sum;
    }
}
