package io.eldr.core.routing;

import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Routing by the time that a request costs everybody: chosen is the decoder of the least {@link UnionPricing price}, where
 * the squares of what all requests wait grow least.
 *
 * <p>Squares, because a sum of plain times does not care whether a millisecond is added to a long step or to a short one:
 * requests that add few experts to each other may then gather where the step is the longest already, which costs the tail.
 * With squares a millisecond counts as much as the step that it is added to is long. No limit of the load and no weight
 * between median and tail has to be set (docs/adr/0016 has what else was tried).
 *
 * <ul>
 *   <li>A decoder that runs as many requests as the model's limit would let this one wait: it comes after all others.
 *   <li>Without a signature, with a zero one or one of another shape, and without a forecast in the artifact: JSQ over all.
 * </ul>
 *
 * Fallbacks are the others by price.
 */
final class UnionPolicy extends ContestPolicy {
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

    private static UnionPrices prices(Contest contest, FoldedForecast forecast, UsePrediction use) {
        UnionPricing pricing = new UnionPricing(forecast, use);
        UnionPrices prices = new UnionPrices(contest.size());
        for (int i = 0; i < contest.size(); i++) {
            if (contest.isAvailable(i)) {
                pricing.price(i, contest.use(i), contest.load(i), contest.weight(i), prices);
            }
        }
        return prices;
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
