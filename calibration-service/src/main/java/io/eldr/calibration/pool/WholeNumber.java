package io.eldr.calibration.pool;

import io.eldr.core.signature.InvalidInputException;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;

/** A whole number of a change, which JSON null takes away. */
final class WholeNumber {
    private WholeNumber() {}

    /** @throws InvalidInputException naming the field if it is anything else */
    static OptionalInt orNull(String field, JsonNode value) {
        if (value.isNull()) {
            return OptionalInt.empty();
        }
        if (!value.isInt()) {
            throw new InvalidInputException(field, "must be a whole number or null");
        }
        return OptionalInt.of(value.intValue());
    }
}
