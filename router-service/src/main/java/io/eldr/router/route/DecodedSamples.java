package io.eldr.router.route;

import io.eldr.core.load.Reservation;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.router.pool.Pool;
import io.eldr.router.pool.Pools;
import java.util.Optional;
import java.util.OptionalInt;
import org.springframework.stereotype.Component;

/** Reads the decode counts that come with a close, and passes on what was good. */
@Component
final class DecodedSamples {

    private static final String FIELD = "decodeCounts";

    private final Pools pools;
    private final SampleSink sink;

    DecodedSamples(Pools pools, SampleSink sink) {
        this.pools = pools;
        this.sink = sink;
    }

    /**
     * @return empty where the close has no counts, or the pool is gone so that nobody could use them
     * @throws InvalidInputException naming the field at fault if they are not whole counts of the pool's shape
     */
    Optional<DecodedSample> read(CloseRequest request, Reservation<DecisionRecord> held) {
        RouteRequest.SignatureBody body = request.decodeCounts();
        Optional<Pool> pool = pools.find(held.pool());
        if (body == null || pool.isEmpty()) {
            return Optional.empty();
        }
        Geometry geometry = pool.get().state().intent().model().geometry();
        ExpertCounts counts = SignatureInput.counts(FIELD, body, OptionalInt.empty(), geometry);
        int tokens = tokens(counts, geometry, Optional.ofNullable(request.decodeTokens()));
        DecisionRecord decision = held.decision();
        return Optional.of(new DecodedSample(
                held.pool(), held.requestId(), decision.label(), decision.promptTokens(), tokens, counts));
    }

    void pass(DecodedSample sample) {
        sink.decoded(sample);
    }

    /** How many tokens were counted: all that were decoded, or all but the first, which prefill makes. */
    private static int tokens(ExpertCounts counts, Geometry geometry, Optional<Integer> decoded) {
        long counted = counts.layerSum(0) / geometry.topK();
        counts.requireRowSums(FIELD, counted, geometry.topK());
        if (counted < 1 || counted > Integer.MAX_VALUE) {
            throw new InvalidInputException(FIELD, "count no token, or more than there can be");
        }
        int tokens = (int) counted;
        if (decoded.isPresent() && decoded.get() != tokens && decoded.get() != tokens + 1) {
            throw new InvalidInputException(FIELD, "count " + tokens + " tokens but decodeTokens is " + decoded.get());
        }
        return tokens;
    }
}
