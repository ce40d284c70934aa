package io.eldr.core.routing;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Where a request is to be decoded, or why nowhere. */
public sealed interface Decision {
    /** How many fallbacks a decision names at most: more failures in a row are not one decoder's fault. */
    int MAX_FALLBACKS = 8;

    /**
     * A decoder was chosen.
     *
     * @param index its position in the snapshot
     * @param fallbacks where to go if it fails, best first, at most {@link #MAX_FALLBACKS}
     * @param cluster the cluster that stands for it; empty without an artifact
     * @param similarity the request's similarity to that cluster; empty where the policy did not ask
     * @param band present where expert locality decided
     * @param seen the in-flight count it was chosen on, which a reservation must find unchanged
     * @param version what was decided on
     * @param evaluation what it saw of all clusters and decoders
     */
    record Chosen(
            int index,
            Decoder decoder,
            List<Decoder> fallbacks,
            OptionalInt cluster,
            OptionalDouble similarity,
            Optional<Band> band,
            PolicyName policy,
            Reason reason,
            int seen,
            SnapshotVersion version,
            Evaluation evaluation)
            implements Decision {
        public Chosen {
            fallbacks = List.copyOf(fallbacks);
        }
    }

    /** No decoder can take the request. */
    sealed interface Unplaced extends Decision {}

    /** No decoder of the pool may take the request. */
    record NoneEligible() implements Unplaced {}

    /** Every decoder that may take the request has as many in flight as it may. */
    record AllAtCapacity() implements Unplaced {}
}
