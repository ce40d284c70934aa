package io.eldr.calibration.refit;

import java.util.Optional;

/**
 * The wish to activate what a refit proposes.
 *
 * @param expectedGeneration it happens only while this is the pool's generation, 0 before the first
 */
record Approval(Optional<Long> expectedGeneration) {
    static final Approval PLAIN = new Approval(Optional.empty());
}
