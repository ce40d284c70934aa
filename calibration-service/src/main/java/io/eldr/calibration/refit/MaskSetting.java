package io.eldr.calibration.refit;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.eldr.core.calibration.MaskChoice;
import io.eldr.core.signature.InvalidInputException;
import java.util.Arrays;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Which layers a refit uses, as the API writes it: {@code "auto"}, {@code "all"} or a list of layers.
 *
 * @param text as {@link MaskChoice#parse} takes it
 */
record MaskSetting(String text) {
    static final MaskSetting AUTO = new MaskSetting("auto");

    private static final String FIELD = "mask";

    /** @throws InvalidInputException naming {@code mask} */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static MaskSetting of(JsonNode value) {
        if (value.isString()) {
            return new MaskSetting(value.stringValue());
        }
        if (!value.isArray() || value.isEmpty() || value.valueStream().anyMatch(layer -> !layer.isInt())) {
            throw new InvalidInputException(FIELD, "must be auto, all or a list of layers");
        }
        return new MaskSetting(value.valueStream().map(JsonNode::asString).collect(Collectors.joining(",")));
    }

    /** The same with its layers in order. */
    MaskSetting normalized(int layers) {
        return new MaskSetting(choice(layers).toString());
    }

    /** @throws InvalidInputException naming {@code mask} */
    MaskChoice choice(int layers) {
        return MaskChoice.parse(text, layers);
    }

    @JsonValue
    Object json() {
        return Character.isDigit(text.charAt(0))
                ? Arrays.stream(text.split(",", -1)).map(Integer::valueOf).toList()
                : text;
    }
}
