package io.eldr.core.load;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The loads that a decision reads, by the position of a decoder in the pool's snapshot. Values may change between two
 * reads; a decision that acts on one says so when it reserves ({@link LoadLedger#tryReserve}).
 */
public interface LoadView {
    /** In-flight count of an incarnation that has left, or takes no reservations now. */
    int GONE = -1;

    /** How many decoders there are. */
    int size();

    /** This router's own open reservations on a decoder, 0 or more, or {@link #GONE}. */
    int inFlight(int decoder);

    /**
     * The decoder's whole load, in requests, as estimated from this router's own in-flight count, what the engine reported
     * and how many routers there are: at least that count, and equal to it where there is one router and no report.
     *
     * @param inFlight what {@link #inFlight} said, so that one decision uses one reading
     */
    default double load(int decoder, int inFlight) {
        return inFlight;
    }

    /** The share of a decoder's KV cache in use, 0 to 1, as its engine reports it; empty where it is not known. */
    default OptionalDouble kvUse(int decoder) {
        return OptionalDouble.empty();
    }

    /** What its requests are expected to use together; empty where nobody keeps that. */
    default Optional<DecoderUse> use(int decoder) {
        return Optional.empty();
    }

    /** Loads that never change, for simulations and for reproducing a decision. */
    static LoadView fixed(int... inFlight) {
        return new FixedLoads(inFlight.clone());
    }

    /** Nothing runs anywhere. */
    static LoadView idle(int decoders) {
        return new FixedLoads(new int[decoders]);
    }
}
