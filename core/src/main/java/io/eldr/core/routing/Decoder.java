package io.eldr.core.routing;

import io.eldr.core.load.Incarnation;
import io.eldr.core.signature.InvalidInputException;
import java.util.OptionalInt;

/**
 * A decoder that may be chosen.
 *
 * @param incarnation which life of which slot takes the load
 * @param url where it listens
 * @param weight its capacity in relation to the others', more than 0; load is judged as load / weight
 * @param maxInFlight the most requests this router may have in flight there, at least 1; empty for no limit
 */
public record Decoder(Incarnation incarnation, String url, double weight, OptionalInt maxInFlight) {
    /** @throws InvalidInputException naming {@code weight} or {@code maxInFlight} */
    public Decoder {
        if (!(weight > 0) || !Double.isFinite(weight)) {
            throw new InvalidInputException("weight", "must be a finite number above 0 but is " + weight);
        }
        if (maxInFlight.isPresent() && maxInFlight.getAsInt() < 1) {
            throw new InvalidInputException("maxInFlight", "must be at least 1 but is " + maxInFlight.getAsInt());
        }
    }

    /** A decoder of the usual capacity without a limit. */
    public static Decoder of(Incarnation incarnation, String url) {
        return new Decoder(incarnation, url, 1, OptionalInt.empty());
    }

    /** The decoder's id in requests and answers: its slot. */
    public String id() {
        return incarnation.slot();
    }

    boolean isFullAt(int inFlight) {
        return maxInFlight.isPresent() && inFlight >= maxInFlight.getAsInt();
    }
}
