package io.eldr.core.routing;

import io.eldr.core.signature.InvalidInputException;
import java.util.OptionalDouble;

/**
 * When a decoder is so much busier than the others that it leaves the band: its load for its weight is at least
 * {@code factor} times the mean and at least {@code minExcess} above it, or more of its KV cache than {@code kvCap} is in
 * use. Skewed traffic overloads narrow bands where there are many decoders; similarity and load are never added up.
 *
 * @param factor 1 to 100
 * @param minExcess in requests, 0 to 10,000: with little traffic a factor alone would make any decoder hot
 * @param kvCap 0 to 1, above 0
 */
public record HotRule(double factor, int minExcess, double kvCap) {
    public static final HotRule DEFAULT = new HotRule(1.5, 4, 0.95);

    /** @throws InvalidInputException naming {@code hot.factor}, {@code hot.minExcess} or {@code hot.kvCap} */
    public HotRule {
        if (!(factor >= 1 && factor <= 100)) {
            throw new InvalidInputException("hot.factor", "must be between 1 and 100 but is " + factor);
        }
        if (minExcess < 0 || minExcess > 10_000) {
            throw new InvalidInputException("hot.minExcess", "must be between 0 and 10000 but is " + minExcess);
        }
        if (!(kvCap > 0 && kvCap <= 1)) {
            throw new InvalidInputException("hot.kvCap", "must be above 0 and at most 1 but is " + kvCap);
        }
    }

    boolean isHot(double load, double mean, OptionalDouble kvUse) {
        return (load >= factor * mean && load >= mean + minExcess)
                || (kvUse.isPresent() && kvUse.getAsDouble() > kvCap);
    }
}
