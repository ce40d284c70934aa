package io.eldr.core.routing;

import java.util.Optional;
import java.util.random.RandomGenerator;

/** Any decoder, in proportion to the weights. */
final class RandomPolicy extends ContestPolicy {
    @Override
    Decision choose(DecisionRequest request, Contest contest, RandomGenerator random) {
        int chosen = contest.draw(random, -1);
        Fallbacks fallbacks = new Fallbacks();
        for (int i = 0; i < contest.size(); i++) {
            if (contest.isAvailable(i) && i != chosen) {
                fallbacks.offer(i, contest::luckier);
            }
        }
        return contest.choose(chosen, fallbacks, Optional.empty(), PolicyName.RANDOM, Reason.RANDOM);
    }
}
