package io.eldr.core.routing;

import io.eldr.core.load.DecoderUse;
import io.eldr.core.load.LoadView;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.random.RandomGenerator;

/** One decision in the making: how the decoders that are available compare for a request. */
final class Contest {
    private final PoolSnapshot snapshot;
    private final LoadView loads;
    private final Evaluation evaluation;
    private final long salt;

    /** @param salt draws the order in which decoders stand that are equal otherwise */
    Contest(PoolSnapshot snapshot, LoadView loads, Evaluation evaluation, long salt) {
        this.snapshot = snapshot;
        this.loads = loads;
        this.evaluation = evaluation;
        this.salt = salt;
    }

    /** The same with similarities by cluster; adopts the array. */
    Contest withSimilarities(double[] byCluster) {
        return new Contest(snapshot, loads, evaluation.withSimilarities(byCluster), salt);
    }

    /** The same with the prices of decoders. */
    Contest withPrices(UnionPrices prices) {
        return new Contest(snapshot, loads, evaluation.withPrices(prices), salt);
    }

    PoolSnapshot snapshot() {
        return snapshot;
    }

    Evaluation evaluation() {
        return evaluation;
    }

    int size() {
        return evaluation.size();
    }

    boolean isAvailable(int decoder) {
        return evaluation.isAvailable(decoder);
    }

    double load(int decoder) {
        return evaluation.seenLoad(decoder);
    }

    double weight(int decoder) {
        return snapshot.decoder(decoder).weight();
    }

    OptionalDouble kvUse(int decoder) {
        return loads.kvUse(decoder);
    }

    Optional<DecoderUse> use(int decoder) {
        return loads.use(decoder);
    }

    /** The similarity to the cluster that stands for a decoder; 0 for all where there are none. */
    double similarity(int decoder) {
        return evaluation.clusters() == 0 ? 0 : evaluation.similarity(snapshot.clusterOf(decoder));
    }

    /** Less load for its weight, then more similar, then by lot. */
    boolean lighter(int a, int b) {
        int byLoad = Double.compare(load(a) / weight(a), load(b) / weight(b));
        return byLoad != 0 ? byLoad < 0 : similarityThenLot(a, b);
    }

    /** More similar, then less load for its weight, then by lot. */
    boolean nearer(int a, int b) {
        int bySimilarity = Double.compare(similarity(b), similarity(a));
        return bySimilarity != 0 ? bySimilarity < 0 : lighter(a, b);
    }

    /** Less of a price, then by lot. */
    boolean cheaper(int a, int b) {
        UnionPrices prices = evaluation.prices().orElseThrow();
        int byPrice = Double.compare(prices.millis(a), prices.millis(b));
        return byPrice != 0 ? byPrice < 0 : luckier(a, b);
    }

    /** By lot. */
    boolean luckier(int a, int b) {
        return lotOf(a) < lotOf(b);
    }

    private boolean similarityThenLot(int a, int b) {
        int bySimilarity = Double.compare(similarity(b), similarity(a));
        return bySimilarity != 0 ? bySimilarity < 0 : luckier(a, b);
    }

    /** A number below {@code bound} that is random for each decision. */
    int lot(int bound) {
        return (int) Math.floorMod(lotOf(-1), (long) bound);
    }

    /** A number that is random for each decision and distinct for each decoder (the finaliser of SplitMix64). */
    private long lotOf(int decoder) {
        long z = salt + (decoder + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** Draws an available decoder in proportion to the weights; {@code except} is left out, -1 leaves out none. */
    int draw(RandomGenerator random, int except) {
        return atWeight(random.nextDouble(), except);
    }

    /**
     * The available decoder that holds a point of their weights laid end to end.
     *
     * @param point where, in [0, 1) of the whole
     */
    int atWeight(double point, int except) {
        double total = 0;
        for (int i = 0; i < size(); i++) {
            if (isAvailable(i) && i != except) {
                total += weight(i);
            }
        }
        double left = point * total;
        int last = -1;
        for (int i = 0; i < size(); i++) {
            if (isAvailable(i) && i != except) {
                last = i;
                left -= weight(i);
                if (left < 0) {
                    return i;
                }
            }
        }
        return last;
    }

    /** The least loaded of all, with the next least loaded as fallbacks. */
    Decision leastLoaded(PolicyName policy, Reason reason) {
        int best = -1;
        for (int i = 0; i < size(); i++) {
            if (isAvailable(i) && (best < 0 || lighter(i, best))) {
                best = i;
            }
        }
        return choose(best, othersByLoad(best), Optional.empty(), policy, reason);
    }

    Fallbacks othersByLoad(int chosen) {
        Fallbacks fallbacks = new Fallbacks();
        for (int i = 0; i < size(); i++) {
            if (isAvailable(i) && i != chosen) {
                fallbacks.offer(i, this::lighter);
            }
        }
        return fallbacks;
    }

    Decision choose(int chosen, Fallbacks fallbacks, Optional<Band> band, PolicyName policy, Reason reason) {
        return new Decision.Chosen(
                chosen,
                snapshot.decoder(chosen),
                fallbacks.of(snapshot),
                snapshot.cluster(chosen),
                evaluation.clusters() == 0 ? OptionalDouble.empty() : OptionalDouble.of(similarity(chosen)),
                band,
                policy,
                reason,
                evaluation.seen(chosen),
                snapshot.version(),
                evaluation);
    }
}
