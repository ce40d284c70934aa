package io.eldr.core.routing;

import io.eldr.core.signature.InvalidInputException;
import java.util.OptionalDouble;

/**
 * A policy that decides beside the live one and reserves nothing.
 *
 * @param tau its own width of the band, 0 to {@value BandRule#WIDEST_TAU}; empty: the live one's
 */
public record ShadowRule(PolicyName policy, OptionalDouble tau) {
    /** @throws InvalidInputException naming {@code shadow.tau} */
    public ShadowRule {
        if (tau.isPresent() && !(tau.getAsDouble() >= 0 && tau.getAsDouble() <= BandRule.WIDEST_TAU)) {
            throw new InvalidInputException(
                    "shadow.tau", "must be between 0 and " + BandRule.WIDEST_TAU + " but is " + tau.getAsDouble());
        }
    }

    /** The live band with the shadow's own width. */
    public BandRule band(BandRule live) {
        return tau.isPresent() ? new BandRule(tau.getAsDouble(), live.minCandidates(), live.hot()) : live;
    }
}
