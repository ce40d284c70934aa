package io.eldr.core.routing;

import java.util.Optional;
import java.util.random.RandomGenerator;

/** Power of two choices: two different decoders are drawn in proportion to the weights, the less loaded one is taken. */
final class P2cPolicy extends ContestPolicy {
    @Override
    Decision choose(DecisionRequest request, Contest contest, RandomGenerator random) {
        int first = contest.draw(random, -1);
        int second = contest.draw(random, first);
        int chosen = second >= 0 && contest.lighter(second, first) ? second : first;
        return contest.choose(chosen, contest.othersByLoad(chosen), Optional.empty(), PolicyName.P2C, Reason.P2C);
    }
}
