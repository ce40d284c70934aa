package io.eldr.core.routing;

import io.eldr.core.load.Incarnation;
import io.eldr.core.load.LoadView;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.random.RandomGenerator;

/** A policy whose bands open for decoders that starve. */
final class GuardedPolicy implements RoutingPolicy {
    private final RoutingPolicy policy;
    private final StarvationWatch watch;

    GuardedPolicy(RoutingPolicy policy, StarvationWatch watch) {
        this.policy = policy;
        this.watch = watch;
    }

    @Override
    public Decision decide(DecisionRequest request, PoolSnapshot snapshot, LoadView loads, RandomGenerator random) {
        Decision decision = policy.decide(request, snapshot, loads, random);
        Set<Incarnation> starving = watch.starving();
        if (starving.isEmpty()
                || !(decision instanceof Decision.Chosen chosen)
                || chosen.band().isEmpty()) {
            return decision;
        }
        int relieved = mostSimilar(snapshot, chosen.evaluation(), starving);
        return relieved < 0 || relieved == chosen.index() ? decision : instead(chosen, relieved, snapshot);
    }

    /** Among those that still are idle and may take the request; -1 if there is none. */
    private static int mostSimilar(PoolSnapshot snapshot, Evaluation evaluation, Set<Incarnation> starving) {
        int found = -1;
        for (int i = 0; i < snapshot.size(); i++) {
            if (evaluation.seen(i) == 0
                    && starving.contains(snapshot.decoder(i).incarnation())
                    && (found < 0 || similarity(snapshot, evaluation, i) > similarity(snapshot, evaluation, found))) {
                found = i;
            }
        }
        return found;
    }

    private static double similarity(PoolSnapshot snapshot, Evaluation evaluation, int decoder) {
        return evaluation.similarity(snapshot.clusterOf(decoder));
    }

    private static Decision instead(Decision.Chosen chosen, int relieved, PoolSnapshot snapshot) {
        List<Decoder> fallbacks = new ArrayList<>();
        fallbacks.add(chosen.decoder());
        for (Decoder fallback : chosen.fallbacks()) {
            if (fallbacks.size() < Decision.MAX_FALLBACKS && !fallback.equals(snapshot.decoder(relieved))) {
                fallbacks.add(fallback);
            }
        }
        return new Decision.Chosen(
                relieved,
                snapshot.decoder(relieved),
                fallbacks,
                snapshot.cluster(relieved),
                OptionalDouble.of(similarity(snapshot, chosen.evaluation(), relieved)),
                chosen.band(),
                chosen.policy(),
                Reason.WIDENED,
                0,
                chosen.version(),
                chosen.evaluation());
    }
}
