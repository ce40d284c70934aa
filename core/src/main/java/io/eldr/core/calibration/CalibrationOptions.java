package io.eldr.core.calibration;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.Representation;
import java.util.Optional;

/**
 * What the caller decides about a fit.
 *
 * @param clusters K, the number of decoders, at least 1
 * @param representation absent: the one with the highest rho
 * @param seed of the split, the pairs and the first K-means start
 * @param holdOut the share of requests kept for choosing and again for judging, 0 to 0.4; 0: choose on the fitted ones
 *     and judge on none
 */
public record CalibrationOptions(
        int clusters,
        Optional<Representation> representation,
        MaskChoice mask,
        long seed,
        PairChoice pairs,
        double holdOut) {
    public static final double DEFAULT_HOLD_OUT = 0.2;

    private static final int MAX_CLUSTERS = 4_096;
    private static final double MAX_HOLD_OUT = 0.4;

    public CalibrationOptions {
        if (clusters < 1 || clusters > MAX_CLUSTERS) {
            throw new InvalidInputException(
                    "clusters", "must be between 1 and " + MAX_CLUSTERS + " but is " + clusters);
        }
        if (!(holdOut >= 0 && holdOut <= MAX_HOLD_OUT)) {
            throw new InvalidInputException("holdOut", "must be between 0 and " + MAX_HOLD_OUT + " but is " + holdOut);
        }
    }

    /** Everything left to the data. */
    public static CalibrationOptions automatic(int clusters, long seed) {
        return new CalibrationOptions(
                clusters, Optional.empty(), new MaskChoice.Auto(), seed, PairChoice.DEFAULT, DEFAULT_HOLD_OUT);
    }
}
