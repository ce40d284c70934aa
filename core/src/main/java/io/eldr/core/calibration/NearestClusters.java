package io.eldr.core.calibration;

import io.eldr.core.artifact.HeldOutStatistics;
import io.eldr.core.clustering.Centroids;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Signature;
import io.eldr.core.signature.SignatureSpec;
import io.eldr.core.vector.Interrupts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * How requests lie among centroids: for each, which is nearest, how similar it is, and by how much every other is less
 * similar ({@code s* - s_k}). Requests with a zero signature are near to nothing and are left out.
 */
final class NearestClusters {
    private static final double ROUNDING_MARGIN = 1e-5;
    private static final int MAX_GAP_QUANTILES = 1_025;

    private final int clusters;
    private final int[] nearestCounts;
    private final double[] bestSimilarities;
    /** All gaps of all requests, ascending; each request has one that is 0. */
    private final double[] gaps;

    private NearestClusters(int clusters, int[] nearestCounts, double[] bestSimilarities, double[] gaps) {
        this.clusters = clusters;
        this.nearestCounts = nearestCounts;
        this.bestSimilarities = bestSimilarities;
        this.gaps = gaps;
    }

    static NearestClusters of(SignatureSpec spec, Centroids centroids, Collection<ExpertCounts> requests) {
        int clusters = centroids.count();
        int[] nearestCounts = new int[clusters];
        double[] best = new double[requests.size()];
        double[] gaps = new double[requests.size() * clusters];
        int seen = 0;
        for (ExpertCounts counts : requests) {
            Interrupts.check();
            Signature signature = spec.signatureOf(counts);
            if (signature.isZero()) {
                continue;
            }
            int nearest = 0;
            double[] similarities = centroids.similarities(signature);
            for (int k = 1; k < clusters; k++) {
                nearest = similarities[k] > similarities[nearest] ? k : nearest;
            }
            nearestCounts[nearest]++;
            best[seen] = similarities[nearest];
            for (int k = 0; k < clusters; k++) {
                gaps[seen * clusters + k] = best[seen] - similarities[k];
            }
            seen++;
        }
        double[] sorted = Arrays.copyOf(gaps, seen * clusters);
        Arrays.sort(sorted);
        return new NearestClusters(clusters, nearestCounts, Arrays.copyOf(best, seen), sorted);
    }

    /** How many requests have a signature. */
    int requests() {
        return bestSimilarities.length;
    }

    /** The mean number of clusters within tau of the nearest, itself included; 0 without requests. */
    double meanBand(double tau) {
        if (requests() == 0) {
            return 0;
        }
        int within = Arrays.binarySearch(gaps, Math.nextUp(tau));
        within = within < 0 ? -within - 1 : firstOfEqual(within);
        return (double) within / requests();
    }

    /**
     * The tau of the narrowest band whose mean reaches {@code min(2, max(1.25, K/4))}, or K where there are fewer clusters
     * (docs/adr/0002): wide enough to leave a choice, narrow enough to keep requests near their experts. It suits any
     * representation, unlike a fixed number. It lies a little above the last gap that it must hold, so that the rounding of
     * a router's similarities cannot push that one out.
     */
    double recommendedTau() {
        if (requests() == 0) {
            return 0;
        }
        double target = Math.min(clusters, Math.min(2, Math.max(1.25, clusters / 4.0)));
        double tau = gaps[(int) Math.ceil(target * requests()) - 1];
        double next = Arrays.stream(gaps).filter(gap -> gap > tau).findFirst().orElse(tau);
        return tau == 0 ? tau : Math.min(tau + ROUNDING_MARGIN, tau + (next - tau) / 2);
    }

    /** The share of requests nearest to each cluster. */
    List<Double> shares() {
        List<Double> shares = new ArrayList<>(clusters);
        for (int count : nearestCounts) {
            shares.add(requests() == 0 ? 0 : (double) count / requests());
        }
        return shares;
    }

    double meanBestSimilarity() {
        return Arrays.stream(bestSimilarities).average().orElse(0);
    }

    HeldOutStatistics statistics(double tau) {
        return new HeldOutStatistics(
                requests(), shares(), similarityHistogram(), meanBestSimilarity(), meanBand(tau), gapQuantiles());
    }

    private List<Integer> similarityHistogram() {
        int[] bins = new int[HeldOutStatistics.SIMILARITY_BINS];
        for (double similarity : bestSimilarities) {
            bins[HeldOutStatistics.similarityBin(similarity, bins.length)]++;
        }
        return Arrays.stream(bins).boxed().toList();
    }

    private List<Float> gapQuantiles() {
        int count = Math.min(MAX_GAP_QUANTILES, gaps.length);
        List<Float> quantiles = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            long index = count == 1 ? 0 : Math.round((double) i * (gaps.length - 1) / (count - 1));
            quantiles.add((float) gaps[(int) index]);
        }
        return quantiles;
    }

    private int firstOfEqual(int index) {
        int first = index;
        while (first > 0 && gaps[first - 1] == gaps[index]) {
            first--;
        }
        return first;
    }
}
