package io.eldr.calibration.evaluation;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.simulator.study.TauChoice;
import tools.jackson.databind.JsonNode;

/**
 * The width of a band as the API writes it: a number or {@code "auto"}.
 *
 * @param choice the same as the simulator says it
 */
record TauSetting(TauChoice choice) {
    static final TauSetting AUTO = new TauSetting(TauChoice.AUTO);

    /** @throws InvalidInputException naming {@code tau} */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static TauSetting of(JsonNode value) {
        if (value.isNumber()) {
            return new TauSetting(TauChoice.of(value.asDouble()));
        }
        if (!value.isString()) {
            throw new InvalidInputException("tau", "must be a number or auto");
        }
        return new TauSetting(TauChoice.parse(value.asString()));
    }

    @JsonValue
    Object json() {
        return choice.tau().isPresent() ? choice.tau().getAsDouble() : choice.toString();
    }
}
