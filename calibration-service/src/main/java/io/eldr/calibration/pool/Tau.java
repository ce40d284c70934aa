package io.eldr.calibration.pool;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.eldr.core.signature.InvalidInputException;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;

/**
 * The width of a pool's locality band.
 *
 * @param fixed empty: {@code auto}, the artifact's recommendation
 */
record Tau(OptionalDouble fixed) {
    private static final String AUTO = "auto";

    /** @throws InvalidInputException naming {@code tau} if it is neither {@code auto} nor a number */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Tau of(JsonNode value) {
        if (value.isString() && value.stringValue().equals(AUTO)) {
            return new Tau(OptionalDouble.empty());
        }
        if (!value.isNumber()) {
            throw new InvalidInputException("tau", "must be auto or a number from 0 to 2");
        }
        return new Tau(OptionalDouble.of(value.doubleValue()));
    }

    @JsonValue
    Object json() {
        return fixed.isPresent() ? (Object) fixed.getAsDouble() : AUTO;
    }
}
