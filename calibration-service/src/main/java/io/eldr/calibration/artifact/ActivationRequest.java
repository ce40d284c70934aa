package io.eldr.calibration.artifact;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Optional;

/**
 * The wish to serve a version.
 *
 * @param version the version to serve; for a rollback, absent means the one that was served before
 * @param reason for the history
 * @param expectedGeneration the activation happens only while this is the pool's generation, 0 before the first
 */
record ActivationRequest(
        Optional<Integer> version,
        @Schema(maxLength = 2000) Optional<String> reason,
        Optional<Long> expectedGeneration) {
    static final ActivationRequest EMPTY = new ActivationRequest(Optional.empty(), Optional.empty(), Optional.empty());
}
