package io.eldr.simulator.study;

import io.eldr.core.routing.BandRule;
import io.eldr.core.signature.InvalidInputException;
import java.util.OptionalDouble;

/**
 * How wide the band is.
 *
 * @param tau empty: what each artifact recommends
 */
public record TauChoice(OptionalDouble tau) {
    public static final TauChoice AUTO = new TauChoice(OptionalDouble.empty());

    private static final String AUTO_WORD = "auto";

    /** @throws InvalidInputException naming {@code tau} */
    public TauChoice {
        tau.ifPresent(width -> new BandRule(width, 1));
    }

    public static TauChoice of(double tau) {
        return new TauChoice(OptionalDouble.of(tau));
    }

    /**
     * Parses {@code auto} or a number.
     *
     * @throws InvalidInputException naming {@code tau}
     */
    public static TauChoice parse(String text) {
        if (text.equals(AUTO_WORD)) {
            return AUTO;
        }
        if (!text.matches("[0-9]{1,3}(\\.[0-9]{1,9})?")) {
            throw new InvalidInputException("tau", "must be auto or a number of at least 0 but is '" + text + "'");
        }
        return of(Double.parseDouble(text));
    }

    @Override
    public String toString() {
        return tau.isPresent() ? Double.toString(tau.getAsDouble()) : AUTO_WORD;
    }
}
