package io.eldr.router.policy;

import io.eldr.core.routing.PolicyName;
import io.eldr.core.routing.Reason;
import java.util.OptionalDouble;

/**
 * What a shadow policy would have done with a request.
 *
 * @param decoder its slot
 * @param agrees whether the live policy chose the same
 * @param similarityDifference the similarity to the shadow's decoder less that to the live one's; empty where the request
 *     has no signature or the pool no artifact
 * @param priceDifference the price of the request on the shadow's decoder less that on the live one's, in milliseconds;
 *     empty where the request has no signature or the pool's artifact no forecast
 * @param loadDifference the load of the shadow's decoder less that of the live one's as the decision saw them, in requests
 */
public record ShadowChoice(
        PolicyName policy,
        String decoder,
        Reason reason,
        boolean agrees,
        OptionalDouble similarityDifference,
        OptionalDouble priceDifference,
        double loadDifference) {}
