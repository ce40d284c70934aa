package io.eldr.db.sample;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.mapping.Checks;

/**
 * What is known of a request's decode phase.
 *
 * @param tokens how many were generated, 1 or more
 * @param counts the experts that they selected
 */
public record DecodedTokens(int tokens, ExpertCounts counts) {
    /** @throws InvalidInputException naming {@code decodeTokens} if there are none */
    public DecodedTokens {
        Checks.range("decodeTokens", tokens, 1, Integer.MAX_VALUE);
    }
}
