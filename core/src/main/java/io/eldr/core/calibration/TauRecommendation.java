package io.eldr.core.calibration;

import java.util.Arrays;

/**
 * How wide the band of similar decoders should be: the tau at which it holds {@code min(2, max(1.25, K/4))} decoders on
 * average, never more than K. The band of a request holds the clusters whose gap
 * {@code s* - s_k} to its best similarity is at most tau, before any rule of fewest candidates.
 */
public final class TauRecommendation {
    private static final double FEWEST = 1.25;
    private static final double MOST = 2;
    private static final double SHARE = 0.25;

    private TauRecommendation() {}

    /**
     * The gaps of one request, by cluster; the nearest cluster's is 0.
     *
     * @param similarities to all K clusters, of a signature that is not zero
     */
    public static double[] gaps(double[] similarities) {
        double best = Double.NEGATIVE_INFINITY;
        for (double similarity : similarities) {
            best = Math.max(best, similarity);
        }
        double[] gaps = new double[similarities.length];
        for (int k = 0; k < gaps.length; k++) {
            gaps[k] = best - similarities[k];
        }
        return gaps;
    }

    /** The mean number of decoders in the band that is aimed at among K. */
    public static double targetBand(int clusters) {
        return Math.min(clusters, Math.min(MOST, Math.max(FEWEST, SHARE * clusters)));
    }

    /**
     * The mean number of decoders within tau of the nearest.
     *
     * @param gaps N*K values, of N >= 1 requests
     */
    public static double meanBand(double[] gaps, int clusters, double tau) {
        int requests = requests(gaps, clusters);
        long within = 0;
        for (double gap : gaps) {
            if (gap <= tau) {
                within++;
            }
        }
        return (double) within / requests;
    }

    /**
     * The recommended tau: the narrowest band whose mean reaches the target. It lies halfway to the next gap, so that
     * rounding cannot push out the decoder that the target needs.
     *
     * @param gaps N*K values, of N >= 1 requests
     */
    public static double recommend(double[] gaps, int clusters) {
        int requests = requests(gaps, clusters);
        double[] sorted = gaps.clone();
        Arrays.sort(sorted);
        int needed = (int) Math.ceil(targetBand(clusters) * requests);
        double tau = sorted[needed - 1];
        int next = needed;
        while (next < sorted.length && sorted[next] == tau) {
            next++;
        }
        return next < sorted.length ? tau + (sorted[next] - tau) / 2 : tau;
    }

    private static int requests(double[] gaps, int clusters) {
        if (clusters < 1 || gaps.length == 0 || gaps.length % clusters != 0) {
            throw new IllegalArgumentException(gaps.length + " gaps do not make requests of " + clusters + " each");
        }
        return gaps.length / clusters;
    }
}
