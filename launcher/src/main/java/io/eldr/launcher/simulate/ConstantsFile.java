package io.eldr.launcher.simulate;

import io.eldr.core.cost.ModelConstants;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Constants of the decoder model as {@code tools/moe-layer-bench} writes them; what the file leaves out stays as given. */
final class ConstantsFile {
    private static final String OPTION = "--constants";
    private static final String FORMAT = "eldr-model-constants-v1";

    private final JsonNode file;

    private ConstantsFile(JsonNode file) {
        this.file = file;
    }

    /** @throws InvalidInputException naming {@code --constants} and what is wrong in the file */
    static ModelConstants read(Path path, Geometry geometry, ModelConstants otherwise) throws IOException {
        if (!Files.isRegularFile(path)) {
            throw new InvalidInputException(OPTION, "there is no file " + path);
        }
        try {
            return new ConstantsFile(JsonMapper.shared().readTree(Files.readString(path))).of(geometry, otherwise);
        } catch (JacksonException e) {
            throw new InvalidInputException(OPTION, path + " is not intact JSON: " + e.getOriginalMessage());
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException(OPTION, path + ": " + e.getMessage());
        }
    }

    private ModelConstants of(Geometry geometry, ModelConstants otherwise) {
        if (!FORMAT.equals(file.path("format").asString(""))) {
            throw new InvalidInputException(OPTION, "the file's format is not " + FORMAT);
        }
        requireShape("layers", geometry.layers());
        requireShape("experts", geometry.experts());
        return new ModelConstants(
                file.path("name").asString(otherwise.name()),
                geometry.layers(),
                geometry.experts(),
                number("expertMicros", otherwise.expertMicros()),
                number("layerExperts", otherwise.layerExperts()),
                number("requestExperts", otherwise.requestExperts()),
                number("stepMicros", otherwise.stepMicros()),
                number("kvTokenMicros", otherwise.kvTokenMicros()),
                number("prefillMicros", otherwise.prefillMicros()),
                number("prefillTokenMicros", otherwise.prefillTokenMicros()),
                number("handoffMicros", otherwise.handoffMicros()),
                number("handoffTokenMicros", otherwise.handoffTokenMicros()),
                number("rankLayerMicros", otherwise.rankLayerMicros()),
                (int) number("maxSequences", otherwise.maxSequences()),
                (long) number("kvCapacityTokens", (double) otherwise.kvCapacityTokens()));
    }

    private void requireShape(String name, int traces) {
        if (file.has(name) && file.get(name).asInt(-1) != traces) {
            throw new InvalidInputException(
                    OPTION, "the file is for " + file.get(name) + " " + name + " but the traces have " + traces);
        }
    }

    private double number(String name, double otherwise) {
        if (!file.has(name)) {
            return otherwise;
        }
        if (!file.get(name).isNumber()) {
            throw new InvalidInputException(OPTION, name + " must be a number but is " + file.get(name));
        }
        return file.get(name).asDouble();
    }
}
