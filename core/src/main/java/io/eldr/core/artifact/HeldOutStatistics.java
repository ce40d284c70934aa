package io.eldr.core.artifact;

import io.eldr.core.signature.InvalidInputException;
import java.util.List;

/**
 * How an artifact did on requests that took no part in fitting or choosing it; what drift is later compared with.
 *
 * @param requests how many held-out requests there were, those with a zero signature left out
 * @param shares the share of them nearest to each cluster
 * @param similarityHistogram how many had their best similarity in each of equal bins over [0, 1]; as many bins as the
 *     artifact's maker took
 * @param meanBestSimilarity mean of the best similarity
 * @param meanBand mean number of decoders within the recommended tau of the best, before min-candidates
 * @param gaps quantiles of {@code s* - s_k} over all requests and clusters, ascending and evenly spaced from the smallest
 *     to the largest
 */
public record HeldOutStatistics(
        int requests,
        List<Double> shares,
        List<Integer> similarityHistogram,
        double meanBestSimilarity,
        double meanBand,
        List<Float> gaps) {
    /**
     * How many bins new artifacts take: requests of a well-fitted pool lie within a tenth of one another, which must be
     * many bins wide to be compared.
     */
    public static final int SIMILARITY_BINS = 200;

    private static final double ROUNDING = 1e-3;

    /** @throws InvalidInputException naming the figure that cannot be */
    public HeldOutStatistics {
        shares = List.copyOf(shares);
        similarityHistogram = List.copyOf(similarityHistogram);
        gaps = List.copyOf(gaps);
        if (requests < 0) {
            throw new InvalidInputException("heldOut.requests", "must not be negative but is " + requests);
        }
        shares.forEach(share -> requireRange("heldOut.shares", share, 0, 1));
        similarityHistogram.forEach(bin -> requireRange("heldOut.similarityHistogram", bin, 0, requests));
        requireRange("heldOut.meanBestSimilarity", meanBestSimilarity, -ROUNDING - 1, 1 + ROUNDING);
        requireRange("heldOut.meanBand", meanBand, 0, shares.size());
        float previous = 0;
        for (float gap : gaps) {
            requireRange("heldOut.gaps", gap, previous, 2 + ROUNDING);
            previous = gap;
        }
    }

    /** The bin of a histogram over [0, 1] that a similarity falls into; what lies outside goes to the nearest one. */
    public static int similarityBin(double similarity, int bins) {
        return Math.clamp((int) (similarity * bins), 0, bins - 1);
    }

    private static void requireRange(String field, double value, double min, double max) {
        if (!(value >= min && value <= max)) {
            throw new InvalidInputException(field, "must lie in [" + min + ", " + max + "] but has " + value);
        }
    }
}
