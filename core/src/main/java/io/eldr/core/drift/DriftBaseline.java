package io.eldr.core.drift;

import io.eldr.core.artifact.HeldOutStatistics;
import io.eldr.core.artifact.RoutingArtifact;
import java.util.List;
import java.util.Optional;

/**
 * What windows are compared with: how an artifact's held-out requests lay among its centroids.
 *
 * @param requests N, how many were held out, at least 1
 * @param shares the share of them nearest to each cluster
 * @param similarities how many had their best similarity in each of equal bins over [0, 1]
 * @param meanSimilarity the mean of the best similarity
 */
public record DriftBaseline(int requests, List<Double> shares, List<Integer> similarities, double meanSimilarity) {
    public DriftBaseline {
        shares = List.copyOf(shares);
        similarities = List.copyOf(similarities);
    }

    /** Empty for an artifact with which drift cannot be known: nothing was held out, or nothing is known of it. */
    public static Optional<DriftBaseline> of(RoutingArtifact artifact) {
        return artifact.evidence()
                .heldOut()
                .filter(heldOut -> heldOut.requests() > 0
                        && heldOut.similarityHistogram().stream().anyMatch(count -> count > 0))
                .map(DriftBaseline::of);
    }

    private static DriftBaseline of(HeldOutStatistics heldOut) {
        return new DriftBaseline(
                heldOut.requests(), heldOut.shares(), heldOut.similarityHistogram(), heldOut.meanBestSimilarity());
    }

    /** K. */
    public int clusters() {
        return shares.size();
    }

    /** How many bins the similarities of a window must have. */
    public int bins() {
        return similarities.size();
    }
}
