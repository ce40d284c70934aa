package io.eldr.router.route;

import io.eldr.core.load.Outcome;
import io.eldr.core.load.Reservation;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.router.pool.Pool;
import io.eldr.router.pool.Pools;
import io.eldr.router.sample.LiveSample;
import io.eldr.router.sample.SampleMeters;
import io.eldr.router.sample.SampleSink;
import java.util.Optional;
import java.util.OptionalInt;
import org.springframework.stereotype.Component;

/** Makes samples of requests whose reservation is held over REST: the counts they came with, and those they are closed with. */
@Component
final class ReservationSamples {

    private static final String FIELD = "decodeCounts";

    private final Pools pools;
    private final OpenPrompts prompts;
    private final SampleSink sink;
    private final SampleMeters meters;

    ReservationSamples(Pools pools, OpenPrompts prompts, SampleSink sink, SampleMeters meters) {
        this.pools = pools;
        this.prompts = prompts;
        this.sink = sink;
        this.meters = meters;
    }

    /** Keeps the counts of a request that is to become a sample. */
    void opened(RouteCommand command, Reservation<DecisionRecord> reservation) {
        command.counts().ifPresent(counts -> {
            if (sink.wants(command.pool(), command.requestId()) && !prompts.keep(reservation.id(), counts)) {
                meters.count(SampleMeters.Fate.DROPPED, 1);
            }
        });
    }

    /**
     * What a request becomes a sample of if this close ends it; to be asked before, since afterwards its counts are gone.
     *
     * @return empty where it is no sample: its counts were not kept, or it did not come to its end and has no counts of
     *     what it decoded
     * @throws InvalidInputException naming the field at fault if its decode counts are not whole counts of the pool's
     *     shape
     */
    Optional<LiveSample> read(CloseRequest request, Outcome outcome, Reservation<DecisionRecord> held) {
        Optional<Pool> pool = pools.find(held.pool());
        if (pool.isEmpty()) {
            return Optional.empty();
        }
        Optional<ExpertCounts> decoded = decoded(request, pool.get());
        if (decoded.isEmpty() && outcome != Outcome.COMPLETED) {
            return Optional.empty();
        }
        return prompts.find(held.id())
                .map(prompt -> new LiveSample(
                        pool.get(), held.requestId(), held.decision().label(), prompt, decoded));
    }

    void pass(LiveSample sample) {
        sink.offer(sample);
    }

    private static Optional<ExpertCounts> decoded(CloseRequest request, Pool pool) {
        RouteRequest.SignatureBody body = request.decodeCounts();
        if (body == null) {
            return Optional.empty();
        }
        Geometry geometry = pool.state().intent().model().geometry();
        ExpertCounts counts = SignatureInput.counts(FIELD, body, OptionalInt.empty(), geometry);
        requireWhole(counts, geometry, Optional.ofNullable(request.decodeTokens()));
        return Optional.of(counts);
    }

    /** Counted are all tokens that were decoded, or all but the first, which prefill makes. */
    private static void requireWhole(ExpertCounts counts, Geometry geometry, Optional<Integer> decoded) {
        long counted = counts.layerSum(0) / geometry.topK();
        counts.requireRowSums(FIELD, counted, geometry.topK());
        if (counted < 1 || counted > Integer.MAX_VALUE) {
            throw new InvalidInputException(FIELD, "count no token, or more than there can be");
        }
        if (decoded.isPresent() && decoded.get() != counted && decoded.get() != counted + 1) {
            throw new InvalidInputException(FIELD, "count " + counted + " tokens but decodeTokens is " + decoded.get());
        }
    }
}
