package io.eldr.core.trace;

import io.eldr.core.signature.Geometry;
import java.util.Optional;

/**
 * Where a request's decode tokens come from: from a recording, token for token, or drawn from its decode counts where
 * nothing else was kept.
 */
public sealed interface DecodeTokens permits DrawnTokens, RecordedTokens {
    TokenOrigin origin();

    /**
     * A few decode tokens of a request, the same for the same seed.
     *
     * @param count how many are wanted, at least 1
     * @return at most {@code count} and at least one; absent where nothing is known of the request's decoding
     */
    Optional<ExpertSets> of(RequestSample sample, int count, long seed);

    /** Tokens drawn from each sample's decode counts. */
    static DecodeTokens drawn(Geometry geometry) {
        return new DrawnTokens(geometry);
    }

    /** The tokens that a trace recorded of the samples taken from it, those that make the signature left out. */
    static DecodeTokens recorded(RoutingTrace trace, SignatureSource source) {
        return RecordedTokens.of(trace, source);
    }
}
