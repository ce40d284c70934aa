package io.eldr.calibration.refit;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.eldr.core.calibration.PairChoice;
import io.eldr.core.signature.InvalidInputException;
import tools.jackson.databind.JsonNode;

/**
 * Over which pairs of requests rho is taken, as the API writes it: a number of random ones or {@code "all"}.
 *
 * @param choice the same as core says it
 */
record PairsSetting(PairChoice choice) {
    static final PairsSetting DEFAULT = new PairsSetting(PairChoice.DEFAULT);

    /** @throws InvalidInputException naming {@code pairs} */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static PairsSetting of(JsonNode value) {
        if (!value.isInt() && !value.isString()) {
            throw new InvalidInputException("pairs", "must be a whole number or all");
        }
        return new PairsSetting(PairChoice.parse(value.asString()));
    }

    @JsonValue
    Object json() {
        return switch (choice) {
            case PairChoice.All all -> all.toString();
            case PairChoice.Random(int count) -> count;
        };
    }
}
