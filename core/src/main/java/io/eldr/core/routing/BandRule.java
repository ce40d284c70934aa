package io.eldr.core.routing;

import io.eldr.core.signature.InvalidInputException;
import java.util.Optional;

/**
 * How far from the nearest decoder a less loaded one may be (ELDR paper, section 5).
 *
 * @param tau the width of the band in cosine similarity: 0 takes the nearest only, 1 and more takes all
 * @param minCandidates M: where tau is above 0, the band is filled with the nearest up to this many; at least 1
 * @param hot which decoders leave the band for their load; empty: none
 */
public record BandRule(double tau, int minCandidates, Optional<HotRule> hot) {
    /** No two similarities are further apart. */
    public static final double WIDEST_TAU = 2;

    private static final int FEW_DECODERS = 4;

    /** @throws InvalidInputException naming {@code tau} or {@code minCandidates} */
    public BandRule {
        if (!(tau >= 0) || !Double.isFinite(tau)) {
            throw new InvalidInputException("tau", "must be a finite number of at least 0 but is " + tau);
        }
        if (minCandidates < 1) {
            throw new InvalidInputException("minCandidates", "must be at least 1 but is " + minCandidates);
        }
    }

    /** Without a rule for hot decoders. */
    public BandRule(double tau, int minCandidates) {
        this(tau, minCandidates, Optional.empty());
    }

    /**
     * The M that applies where a pool sets none: 2 as in the authors' implementation, but 1 for up to 4 decoders, among
     * which the two nearest would be close to everything there is.
     */
    public static int defaultMinCandidates(int decoders) {
        return decoders <= FEW_DECODERS ? 1 : 2;
    }

    BandRule doubled() {
        return new BandRule(Math.max(tau, Math.min(2 * tau, WIDEST_TAU)), minCandidates, hot);
    }

    boolean takesAll() {
        return tau >= 1;
    }
}
