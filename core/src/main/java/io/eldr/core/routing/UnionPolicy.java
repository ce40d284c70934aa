package io.eldr.core.routing;

import io.eldr.core.cost.DecoderModel;
import io.eldr.core.load.DecoderUse;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Routing by the time that a request costs everybody. With {@code M_d} the experts that it is expected to add to a decode
 * step of decoder d, {@code n_d} the requests there, and a step of {@code T_d = F + a U_d + b n_d + c x context}, the request
 * makes each of the {@code n_d} steps slower by {@code a M_d + b}, and takes {@code T_d} and that itself. Chosen is
 *
 * <pre>argmin (n_d + 1)(a M_d + b) + v T_d</pre>
 *
 * in milliseconds, for the decoder's weight. Where {@link DecoderUse} knows nothing, M and U are the same for all decoders,
 * and the price follows the load.
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

    private final double tail;

    /** @param tail v: more of it trades the median for the tail */
    UnionPolicy(double tail) {
        this.tail = tail;
    }

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
            double delay = (load + 1) * (model.expertMillis() * added + own);
            double wait = Math.max(0, load + 1 - model.constants().maxSequences()) * WAITING_MILLIS;
            prices.set(i, (delay + tail * step + wait) / contest.weight(i), added, union);
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
