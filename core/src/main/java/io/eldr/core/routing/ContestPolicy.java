package io.eldr.core.routing;

import io.eldr.core.load.LoadView;
import java.util.random.RandomGenerator;

/** A policy that chooses among the decoders that are available, once it is known that there are some. */
abstract class ContestPolicy implements RoutingPolicy {
    @Override
    public final Decision decide(
            DecisionRequest request, PoolSnapshot snapshot, LoadView loads, RandomGenerator random) {
        Evaluation evaluation = Evaluation.of(request, snapshot, loads);
        if (evaluation.availableCount() == 0) {
            return evaluation.none();
        }
        return choose(request, new Contest(snapshot, loads, evaluation, random.nextLong()), random);
    }

    /** @param contest at least one decoder is available */
    abstract Decision choose(DecisionRequest request, Contest contest, RandomGenerator random);
}
