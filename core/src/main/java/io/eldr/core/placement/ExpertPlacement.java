package io.eldr.core.placement;

import io.eldr.core.signature.InvalidInputException;
import java.util.ArrayList;
import java.util.List;

/**
 * Which rank of a decoder holds which experts: {@code [decoder][layer][physical position] -> logical expert}, where rank r
 * holds the positions from r*E/ranks on (ELDR paper, section 5). An expert weighs what it is likely to be loaded: the
 * probability {@code 1 - (1 - p)^B} that a step of B requests of the decoder's cluster uses it.
 */
public final class ExpertPlacement {
    /** The batch that weights are computed for unless another is asked for. */
    public static final int DEFAULT_BATCH = 32;

    private static final int MAX_BATCH = 4_096;

    private final List<String> decoders;
    private final DecodePatterns patterns;
    private final int ranks;
    private final int batch;
    private final int[][][] layouts;
    private final List<RankLoads> loads;

    private ExpertPlacement(
            List<String> decoders,
            DecodePatterns patterns,
            int ranks,
            int batch,
            int[][][] layouts,
            List<RankLoads> loads) {
        this.decoders = decoders;
        this.patterns = patterns;
        this.ranks = ranks;
        this.batch = batch;
        this.layouts = layouts;
        this.loads = loads;
    }

    /**
     * @param decoders the name of each cluster's decoder
     * @param ranks how many ranks share a decoder's experts; divides E
     * @param batch B, the requests in a decode step, 1 to 4,096
     * @throws InvalidInputException naming {@code ranks}, {@code batch} or {@code decoders}
     */
    public static ExpertPlacement of(List<String> decoders, DecodePatterns patterns, int ranks, int batch) {
        int experts = patterns.experts();
        if (ranks < 1 || experts % ranks != 0) {
            throw new InvalidInputException(
                    "ranks", "must divide the " + experts + " experts of a layer but is " + ranks);
        }
        if (batch < 1 || batch > MAX_BATCH) {
            throw new InvalidInputException("batch", "must be between 1 and " + MAX_BATCH + " but is " + batch);
        }
        if (decoders.size() != patterns.clusters()) {
            throw new InvalidInputException(
                    "decoders", "are " + decoders.size() + " but there are " + patterns.clusters() + " clusters");
        }
        int[][][] layouts = new int[decoders.size()][patterns.layers()][];
        LoadSum[] sums = new LoadSum[decoders.size()];
        for (int k = 0; k < sums.length; k++) {
            sums[k] = new LoadSum(ranks);
        }
        for (int layer = 0; layer < patterns.layers(); layer++) {
            int[] global = RankPacking.pack(meanWeights(patterns, layer, batch), ranks);
            for (int k = 0; k < sums.length; k++) {
                double[] weights = weights(patterns, k, layer, batch);
                layouts[k][layer] = RankPacking.pack(weights, ranks);
                sums[k].add(weights, global, layouts[k][layer]);
            }
        }
        List<RankLoads> loads = new ArrayList<>();
        for (LoadSum sum : sums) {
            loads.add(sum.loads());
        }
        return new ExpertPlacement(List.copyOf(decoders), patterns, ranks, batch, layouts, List.copyOf(loads));
    }

    public List<String> decoders() {
        return decoders;
    }

    public int ranks() {
        return ranks;
    }

    public int batch() {
        return batch;
    }

    public int layers() {
        return patterns.layers();
    }

    public int experts() {
        return patterns.experts();
    }

    /** What a decoder's pattern was made from. */
    public PatternBasis basis(int decoder) {
        return patterns.bases().get(decoder);
    }

    /** The logical expert at a physical position, 0 to E - 1. */
    public int expertAt(int decoder, int layer, int position) {
        return layouts[decoder][layer][position];
    }

    /** The predicted loads of each decoder's ranks. */
    public List<RankLoads> loads() {
        return loads;
    }

    /** The mean of {@link #loads} over the decoders. */
    public RankLoads meanLoads() {
        return RankLoads.mean(loads);
    }

    /** This placement as a JSON object. */
    public String toJson() {
        return PlacementJson.write(this);
    }

    private static double[] weights(DecodePatterns patterns, int cluster, int layer, int batch) {
        double[] weights = new double[patterns.experts()];
        for (int e = 0; e < weights.length; e++) {
            weights[e] = used(patterns.probability(cluster, layer, e), batch);
        }
        return weights;
    }

    private static double[] meanWeights(DecodePatterns patterns, int layer, int batch) {
        double[] weights = new double[patterns.experts()];
        for (int e = 0; e < weights.length; e++) {
            double sum = 0;
            for (int k = 0; k < patterns.clusters(); k++) {
                sum += patterns.probability(k, layer, e);
            }
            weights[e] = used(sum / patterns.clusters(), batch);
        }
        return weights;
    }

    private static double used(double probability, int batch) {
        return 1 - Math.pow(1 - probability, batch);
    }

    /** One decoder's loads, summed over layers. */
    private static final class LoadSum {
        private final int ranks;
        private double mean;
        private double contiguous;
        private double global;
        private double own;

        LoadSum(int ranks) {
            this.ranks = ranks;
        }

        void add(double[] weights, int[] globalLayout, int[] ownLayout) {
            double total = 0;
            for (double weight : weights) {
                total += weight;
            }
            mean += total / ranks;
            contiguous += RankPacking.heaviest(RankPacking.contiguous(weights.length), weights, ranks);
            global += RankPacking.heaviest(globalLayout, weights, ranks);
            own += RankPacking.heaviest(ownLayout, weights, ranks);
        }

        RankLoads loads() {
            return mean == 0 ? new RankLoads(1, 1, 1) : new RankLoads(contiguous / mean, global / mean, own / mean);
        }
    }
}
