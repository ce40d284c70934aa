package io.eldr.core.routing;

import io.eldr.core.cost.DecoderModel;
import io.eldr.core.load.DecoderUse;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Routing by the time that a request costs everybody. With {@code M_d} the experts that it is expected to add to a decode
 * step of decoder d, {@code n_d} the requests there, and a step of {@code T_d = F + a U_d + b n_d + c x context}, the request
 * makes each of the {@code n_d} steps slower by {@code D_d = a M_d + b}, and takes {@code T_d + D_d} itself. Chosen is where
 * the squares of what all of them wait grow least:
 *
 * <pre>argmin sqrt((n_d + 1)(T_d + D_d)^2 - n_d T_d^2)</pre>
 *
 * <p>Squares, because a sum of plain times does not care whether a millisecond is added to a long step or to a short one:
 * requests that add few experts to each other may then gather where the step is the longest already, which costs the tail.
 * With squares a millisecond counts as much as the step that it is added to is long. No limit of the load and no weight
 * between median and tail has to be set (docs/adr/0016 has what else was tried).
 *
 * <p>The price is in milliseconds, for the decoder's weight. Where {@link DecoderUse} knows nothing, M and U are the same for
 * all decoders, and it follows the load.
 *
 * <ul>
 *   <li>A decoder that runs as many requests as the model's limit would let this one wait: it comes after all others.
 *   <li>Without a signature, with a zero one or one of another shape, and without a forecast in the artifact: JSQ over all.
 * </ul>
 *
 * Fallbacks are the others by price.
 */
final class UnionPolicy extends ContestPolicy {
    /** The price of waiting for one request to end: more than any step. */
    private static final double WAITING_MILLIS = 1e6;
    /** Similarities are asked for only by what watches for drift: it gets one decision in so many. */
    private static final int SIMILARITIES_EVERY = 8;

    @Override
    Decision choose(DecisionRequest request, Contest contest, RandomGenerator random) {
        Optional<FoldedForecast> forecast = contest.snapshot().forecast();
        if (forecast.isEmpty()) {
            return contest.leastLoaded(PolicyName.UNION, Reason.NO_ARTIFACT);
        }
        if (request.use().isPresent()) {
            return cheapest(contest, request, forecast.get(), request.use().get());
        }
        if (request.counts().isPresent()
                && !forecast.get().accepts(request.counts().get())) {
            return contest.leastLoaded(PolicyName.UNION, Reason.INCOMPATIBLE_SIGNATURE);
        }
        return request.counts()
                .flatMap(forecast.get()::predict)
                .map(use -> cheapest(contest, request, forecast.get(), use))
                .orElseGet(() -> contest.leastLoaded(PolicyName.UNION, Reason.NO_SIGNATURE));
    }

    private Decision cheapest(Contest contest, DecisionRequest request, FoldedForecast forecast, UsePrediction use) {
        UnionPrices prices = prices(contest, forecast, use);
        Contest priced = watched(contest, request).withPrices(prices);
        int chosen = -1;
        for (int i = 0; i < priced.size(); i++) {
            if (priced.isAvailable(i) && (chosen < 0 || priced.cheaper(i, chosen))) {
                chosen = i;
            }
        }
        Fallbacks fallbacks = new Fallbacks();
        for (int i = 0; i < priced.size(); i++) {
            if (priced.isAvailable(i) && i != chosen) {
                fallbacks.offer(i, priced::cheaper);
            }
        }
        return priced.choose(chosen, fallbacks, Optional.empty(), PolicyName.UNION, Reason.UNION);
    }

    private UnionPrices prices(Contest contest, FoldedForecast forecast, UsePrediction use) {
        DecoderModel model = forecast.model();
        UnionPrices prices = new UnionPrices(contest.size());
        double own = model.requestMillis() + model.kvTokenMillis() * use.contextTokens();
        for (int i = 0; i < contest.size(); i++) {
            if (!contest.isAvailable(i)) {
                continue;
            }
            double load = contest.load(i);
            Optional<DecoderUse> there = contest.use(i);
            double added = forecast.layersForOne()
                    * (there.isPresent() ? there.get().added(use.probabilities(), use.total()) : use.total());
            double union =
                    there.isPresent() ? forecast.layersForOne() * there.get().union() : 0;
            double step = model.fixedMillis()
                    + model.expertMillis() * union
                    + model.requestMillis() * load
                    + model.kvTokenMillis() * context(there, load);
            double slower = step + model.expertMillis() * added + own;
            double price = Math.sqrt((load + 1) * slower * slower - load * step * step);
            double wait = Math.max(0, load + 1 - model.constants().maxSequences()) * WAITING_MILLIS;
            prices.set(i, (price + wait) / contest.weight(i), added, union);
        }
        return prices;
    }

    /** The context of all requests there, taking those that are not known to be like the others. */
    private static double context(Optional<DecoderUse> there, double load) {
        int known = there.isPresent() ? there.get().requests() : 0;
        return known <= 0 ? 0 : there.get().contextTokens() * Math.max(1, load / known);
    }

    private static Contest watched(Contest contest, DecisionRequest request) {
        Optional<FoldedCentroids> centroids = contest.snapshot().centroids();
        if (contest.lot(SIMILARITIES_EVERY) != 0
                || centroids.isEmpty()
                || request.counts().isEmpty()
                || !centroids.get().accepts(request.counts().get())) {
            return contest;
        }
        double[] similarities = new double[centroids.get().clusters()];
        centroids.get().similarities(request.counts().get(), similarities);
        return contest.withSimilarities(similarities);
    }
}
