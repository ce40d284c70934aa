package io.eldr.core.routing;

import io.eldr.core.load.Incarnation;
import io.eldr.core.load.LoadView;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.random.RandomGenerator;

/** A policy of expert locality that serves decoders that starve first. */
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
                || (chosen.band().isEmpty() && chosen.evaluation().prices().isEmpty())) {
            return decision;
        }
        int relieved = best(snapshot, chosen.evaluation(), starving);
        return relieved < 0 || relieved == chosen.index() ? decision : instead(chosen, relieved, snapshot);
    }

    /** Among those that still are idle and may take the request; -1 if there is none. */
    private static int best(PoolSnapshot snapshot, Evaluation evaluation, Set<Incarnation> starving) {
        int found = -1;
        for (int i = 0; i < snapshot.size(); i++) {
            if (evaluation.seen(i) == 0
                    && starving.contains(snapshot.decoder(i).incarnation())
                    && (found < 0 || worth(snapshot, evaluation, i) > worth(snapshot, evaluation, found))) {
                found = i;
            }
        }
        return found;
    }

    /** By the price where there are prices, else by similarity. */
    private static double worth(PoolSnapshot snapshot, Evaluation evaluation, int decoder) {
        return evaluation.prices().isPresent()
                ? -evaluation.prices().get().millis(decoder)
                : evaluation.similarity(snapshot.clusterOf(decoder));
    }

    private static OptionalDouble similarity(PoolSnapshot snapshot, Evaluation evaluation, int decoder) {
        return evaluation.clusters() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(evaluation.similarity(snapshot.clusterOf(decoder)));
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
                similarity(snapshot, chosen.evaluation(), relieved),
                chosen.band(),
                chosen.policy(),
                Reason.WIDENED,
                0,
                chosen.version(),
                chosen.evaluation());
    }
}
