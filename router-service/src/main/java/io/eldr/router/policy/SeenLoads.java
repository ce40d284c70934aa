package io.eldr.router.policy;

import io.eldr.core.load.LoadView;
import io.eldr.core.routing.Evaluation;
import java.util.OptionalDouble;

/**
 * The loads that a decision acted on, and decoders that could not take its request out of reach. The use of KV caches is
 * read anew, microseconds later.
 */
record SeenLoads(Evaluation evaluation, LoadView live) implements LoadView {
    @Override
    public int size() {
        return live.size();
    }

    @Override
    public int inFlight(int decoder) {
        return evaluation.inFlight(decoder).orElse(GONE);
    }

    @Override
    public double load(int decoder, int inFlight) {
        return evaluation.load(decoder).orElse(inFlight);
    }

    @Override
    public OptionalDouble kvUse(int decoder) {
        return live.kvUse(decoder);
    }
}
