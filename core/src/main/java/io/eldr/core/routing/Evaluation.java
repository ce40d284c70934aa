package io.eldr.core.routing;

import io.eldr.core.load.LoadView;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What a decision saw of all clusters and decoders, which explains it. The load of each decoder is read once, so that a
 * decision is consistent in itself however fast loads change.
 */
public final class Evaluation {
    private static final int NOT_ALLOWED = -1;
    private static final int FULL = -2;
    private static final double[] NO_SIMILARITIES = {};

    private final int[] inFlight;
    private final double[] loads;
    private final double[] similarities;
    private final Optional<UnionPrices> prices;

    /** Adopts the arrays. */
    private Evaluation(int[] inFlight, double[] loads, double[] similarities, Optional<UnionPrices> prices) {
        this.inFlight = inFlight;
        this.loads = loads;
        this.similarities = similarities;
        this.prices = prices;
    }

    static Evaluation of(DecisionRequest request, PoolSnapshot snapshot, LoadView loads) {
        if (loads.size() != snapshot.size()) {
            throw new IllegalArgumentException(
                    loads.size() + " loads for a snapshot of " + snapshot.size() + " decoders");
        }
        int[] inFlight = new int[snapshot.size()];
        double[] whole = new double[snapshot.size()];
        for (int i = 0; i < inFlight.length; i++) {
            Decoder decoder = snapshot.decoder(i);
            int count = loads.inFlight(i);
            if (count < 0 || !request.allows(decoder.id())) {
                inFlight[i] = NOT_ALLOWED;
            } else {
                inFlight[i] = decoder.isFullAt(count) ? FULL : count;
                whole[i] = loads.load(i, count);
            }
        }
        return new Evaluation(inFlight, whole, NO_SIMILARITIES, Optional.empty());
    }

    /** The same with similarities by cluster; adopts the array. */
    Evaluation withSimilarities(double[] byCluster) {
        return new Evaluation(inFlight, loads, byCluster, prices);
    }

    /** The same with the prices of decoders. */
    Evaluation withPrices(UnionPrices ofDecoders) {
        return new Evaluation(inFlight, loads, similarities, Optional.of(ofDecoders));
    }

    /** What the request would cost on each decoder; empty where the policy did not go by that. */
    public Optional<UnionPrices> prices() {
        return prices;
    }

    /** The request's similarity to each cluster, by cluster index; empty where the policy did not ask for them. */
    public double[] similarities() {
        return similarities.clone();
    }

    /** How many clusters there are similarities for; 0 where the policy did not ask for them. */
    public int clusters() {
        return similarities.length;
    }

    public double similarity(int cluster) {
        return similarities[cluster];
    }

    /**
     * The in-flight count of a decoder, by its position in the snapshot; empty if the request may not go there or it has
     * as many in flight as it may.
     */
    public OptionalInt inFlight(int decoder) {
        return isAvailable(decoder) ? OptionalInt.of(inFlight[decoder]) : OptionalInt.empty();
    }

    /** The whole load of a decoder as it was estimated; empty where {@link #inFlight(int)} is. */
    public OptionalDouble load(int decoder) {
        return isAvailable(decoder) ? OptionalDouble.of(loads[decoder]) : OptionalDouble.empty();
    }

    boolean isAvailable(int decoder) {
        return inFlight[decoder] >= 0;
    }

    /** What {@link #inFlight(int)} holds for a decoder that is available. */
    int seen(int decoder) {
        return inFlight[decoder];
    }

    /** What {@link #load(int)} holds for a decoder that is available. */
    double seenLoad(int decoder) {
        return loads[decoder];
    }

    int size() {
        return inFlight.length;
    }

    int availableCount() {
        int available = 0;
        for (int count : inFlight) {
            if (count >= 0) {
                available++;
            }
        }
        return available;
    }

    /** Why no decoder is available. */
    Decision.Unplaced none() {
        return Arrays.stream(inFlight).anyMatch(count -> count == FULL)
                ? new Decision.AllAtCapacity()
                : new Decision.NoneEligible();
    }
}
