package io.eldr.core.routing;

import java.util.BitSet;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * By what the client says a request is about: the least loaded of the decoders that {@link LabelPlacement} sets aside for
 * its label, the baseline with oracle labels of the ELDR paper. Least loaded of all where the label is missing or unknown,
 * or none of its decoders can take the request.
 *
 * <p>Fallbacks are the label's other decoders by load, then the rest by load.
 */
final class DomainPolicy extends ContestPolicy {
    @Override
    Decision choose(DecisionRequest request, Contest contest, RandomGenerator random) {
        PoolSnapshot snapshot = contest.snapshot();
        if (snapshot.centroids().isEmpty()) {
            return contest.leastLoaded(PolicyName.DOMAIN, Reason.NO_ARTIFACT);
        }
        if (!snapshot.knowsLabels()) {
            return contest.leastLoaded(PolicyName.DOMAIN, Reason.NO_LABELS);
        }
        BitSet own = request.label().map(snapshot::decodersOf).orElse(PoolSnapshot.NOBODY);
        int chosen = -1;
        for (int i = own.nextSetBit(0); i >= 0; i = own.nextSetBit(i + 1)) {
            if (contest.isAvailable(i) && (chosen < 0 || contest.lighter(i, chosen))) {
                chosen = i;
            }
        }
        return chosen < 0
                ? contest.leastLoaded(PolicyName.DOMAIN, Reason.JSQ)
                : contest.choose(
                        chosen, fallbacks(contest, own, chosen), Optional.empty(), PolicyName.DOMAIN, Reason.DOMAIN);
    }

    private static Fallbacks fallbacks(Contest contest, BitSet own, int chosen) {
        Fallbacks fallbacks = new Fallbacks();
        for (int i = own.nextSetBit(0); i >= 0; i = own.nextSetBit(i + 1)) {
            if (i != chosen && contest.isAvailable(i)) {
                fallbacks.offer(i, contest::lighter);
            }
        }
        fallbacks.nextGroup();
        for (int i = 0; i < contest.size(); i++) {
            if (!own.get(i) && contest.isAvailable(i)) {
                fallbacks.offer(i, contest::lighter);
            }
        }
        return fallbacks;
    }
}
