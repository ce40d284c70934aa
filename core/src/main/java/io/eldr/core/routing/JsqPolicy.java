package io.eldr.core.routing;

import java.util.random.RandomGenerator;

/** Join the shortest queue: the least loaded for its weight, ties by lot. */
final class JsqPolicy extends ContestPolicy {
    @Override
    Decision choose(DecisionRequest request, Contest contest, RandomGenerator random) {
        return contest.leastLoaded(PolicyName.JSQ, Reason.JSQ);
    }
}
