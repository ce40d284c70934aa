package io.eldr.router.policy;

import io.eldr.core.load.DecoderUse;
import io.eldr.core.load.LoadView;
import io.eldr.core.load.PredictedUse;
import io.eldr.core.routing.Evaluation;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The loads that a decision acted on, and decoders that could not take its request out of reach. The use of KV caches and
 * of experts is read anew, microseconds later.
 *
 * @param chosen where the request was placed by then
 * @param own what it added to the use that is expected there, which is taken out again
 */
record SeenLoads(Evaluation evaluation, LoadView live, int chosen, Optional<PredictedUse> own) implements LoadView {
    @Override
    public Optional<DecoderUse> use(int decoder) {
        Optional<DecoderUse> now = live.use(decoder);
        return decoder == chosen && own.isPresent() ? now.map(use -> use.without(own.get())) : now;
    }

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
