package io.eldr.core.routing;

import io.eldr.core.load.LoadView;
import java.util.random.RandomGenerator;

/** A way to choose the decoder of a request. Made by {@link PolicyName#create}; one instance serves all threads of a pool. */
public interface RoutingPolicy {
    /**
     * Decides, and changes nothing: whoever acts on the decision reserves the load with the in-flight count it names.
     *
     * @param loads the loads of the snapshot's decoders, by their position
     * @param random breaks ties and draws; the same state makes the same decision
     */
    Decision decide(DecisionRequest request, PoolSnapshot snapshot, LoadView loads, RandomGenerator random);
}
