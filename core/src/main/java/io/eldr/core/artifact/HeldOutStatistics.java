package io.eldr.core.artifact;

import io.eldr.core.signature.InvalidInputException;
import java.util.List;

/**
 * How an artifact did on requests that took no part in fitting or choosing it; what drift is later compared with.
 *
 * @param requests how many held-out requests there were, those with a zero signature left out
 * @param shares the share of them nearest to each cluster
 * @param similarityHistogram how many had their best similarity in each of equal bins over [0, 1]
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
    public HeldOutStatistics {
        shares = List.copyOf(shares);
        similarityHistogram = List.copyOf(similarityHistogram);
        gaps = List.copyOf(gaps);
        for (double share : shares) {
            if (!(share >= 0 && share <= 1)) {
                throw new InvalidInputException("heldOut.shares", "must lie in [0, 1] but one is " + share);
            }
        }
    }
}
