package io.eldr.core.routing;

import io.eldr.core.cost.DecoderModel;
import io.eldr.core.load.DecoderUse;
import java.util.Optional;

/**
 * What one request costs everybody where it is decoded. With {@code M} the experts that it is expected to add to a decode
 * step there, {@code n} the requests there, and a step of {@code T = F + a U + b n + c x context}, it makes each of the
 * {@code n} steps slower by {@code D = a M + b}, and takes {@code T + D} itself. Its price is the root of how much the
 * squares of what all of them wait grow, in milliseconds, for the decoder's weight:
 *
 * <pre>sqrt((n + 1)(T + D)^2 - n T^2)</pre>
 *
 * <p>Where {@link DecoderUse} knows nothing, M and U are the same for all decoders, and the price follows the load.
 */
public final class UnionPricing {
    /** The price of waiting for one request to end: more than any step. */
    private static final double WAITING_MILLIS = 1e6;

    private final DecoderModel model;
    private final double layersForOne;
    private final UsePrediction use;
    private final double own;

    /**
     * @param forecast of the pool's artifact, which says what a step costs
     * @param use by that forecast
     */
    public UnionPricing(FoldedForecast forecast, UsePrediction use) {
        this.model = forecast.model();
        this.layersForOne = forecast.layersForOne();
        this.use = use;
        this.own = model.requestMillis() + model.kvTokenMillis() * use.contextTokens();
    }

    /**
     * The price of a decoder.
     *
     * @param there what its requests are expected to use, where anybody keeps that
     * @param load how many there are, 0 or more
     * @param weight the decoder's
     */
    public double millis(Optional<DecoderUse> there, double load, double weight) {
        return millis(there, load, weight, added(there), union(there));
    }

    /** Writes down the price of a decoder and what it was made of. */
    void price(int decoder, Optional<DecoderUse> there, double load, double weight, UnionPrices into) {
        double added = added(there);
        double union = union(there);
        into.set(decoder, millis(there, load, weight, added, union), added, union);
    }

    private double millis(Optional<DecoderUse> there, double load, double weight, double added, double union) {
        double step = model.fixedMillis()
                + model.expertMillis() * union
                + model.requestMillis() * load
                + model.kvTokenMillis() * context(there, load);
        double slower = step + model.expertMillis() * added + own;
        double price = Math.sqrt((load + 1) * slower * slower - load * step * step);
        double wait = Math.max(0, load + 1 - model.constants().maxSequences()) * WAITING_MILLIS;
        return (price + wait) / weight;
    }

    private double added(Optional<DecoderUse> there) {
        return layersForOne * (there.isPresent() ? there.get().added(use.probabilities(), use.total()) : use.total());
    }

    private double union(Optional<DecoderUse> there) {
        return there.isPresent() ? layersForOne * there.get().union() : 0;
    }

    /** The context of all requests there, taking those that are not known to be like the others. */
    private static double context(Optional<DecoderUse> there, double load) {
        int known = there.isPresent() ? there.get().requests() : 0;
        return known <= 0 ? 0 : there.get().contextTokens() * Math.max(1, load / known);
    }
}
