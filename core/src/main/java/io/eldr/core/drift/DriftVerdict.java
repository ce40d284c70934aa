package io.eldr.core.drift;

/**
 * What one window says.
 *
 * @param psi population stability index of the nearest clusters' shares against the held-out ones
 * @param psiThreshold what it had to exceed
 * @param ks Kolmogorov-Smirnov distance of the best similarities from the held-out ones, in [0, 1]
 * @param ksThreshold what it had to exceed
 * @param meanSimilarity mean best similarity
 * @param heldOutMeanSimilarity the same of the held-out requests
 * @param mixShift whether requests go to the clusters in another proportion
 * @param newContent whether requests are less like any cluster
 * @param hottestCluster the one that most requests were nearest to
 * @param hottestShare the share of requests nearest to it
 * @param hottestHeldOutShare its share among the held-out requests
 * @param spillRate the share of requests that went to a decoder of another cluster than the nearest
 * @param singletonBandShare the share of requests with one decoder only within tau
 * @param withoutSignatureShare the share of all requests that had no signature
 */
public record DriftVerdict(
        double psi,
        double psiThreshold,
        double ks,
        double ksThreshold,
        double meanSimilarity,
        double heldOutMeanSimilarity,
        boolean mixShift,
        boolean newContent,
        int hottestCluster,
        double hottestShare,
        double hottestHeldOutShare,
        double spillRate,
        double singletonBandShare,
        double withoutSignatureShare) {
    /** Each of the two detectors is blind to what the other sees, so either is enough. */
    public boolean drifted() {
        return mixShift || newContent;
    }
}
