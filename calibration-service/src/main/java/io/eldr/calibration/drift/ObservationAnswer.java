package io.eldr.calibration.drift;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Optional;

/**
 * What became of a post.
 *
 * @param reason why it was ignored
 */
record ObservationAnswer(
        @Schema(allowableValues = {"counted", "duplicate", "ignored"})
        String outcome,

        Optional<String> reason) {
    static final ObservationAnswer COUNTED = new ObservationAnswer("counted", Optional.empty());
    static final ObservationAnswer DUPLICATE = new ObservationAnswer("duplicate", Optional.empty());

    static ObservationAnswer ignored(String reason) {
        return new ObservationAnswer("ignored", Optional.of(reason));
    }
}
