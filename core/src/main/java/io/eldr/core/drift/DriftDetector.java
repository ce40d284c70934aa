package io.eldr.core.drift;

import java.util.List;

/**
 * Compares windows with an artifact's held-out requests (docs/adr/0008): their mix by the population stability index (PSI)
 * of the nearest clusters' shares, their content by the Kolmogorov-Smirnov distance of their best similarities. Never with
 * equal shares: balanced clusters do not make nearest-cluster shares equal.
 */
public final class DriftDetector {
    private final DriftBaseline baseline;
    private final DriftThresholds thresholds;

    public DriftDetector(DriftBaseline baseline, DriftThresholds thresholds) {
        this.baseline = baseline;
        this.thresholds = thresholds;
    }

    /**
     * @param window holds at least one request with a signature
     * @throws io.eldr.core.signature.InvalidInputException naming what has not the artifact's size
     */
    public DriftVerdict judge(ObservationWindow window) {
        window.requireShape(baseline.clusters(), baseline.bins());
        long measured = window.measured();
        if (measured == 0) {
            throw new IllegalArgumentException("a window without a signature says nothing");
        }
        double psi = Distances.stability(baseline.shares(), baseline.requests(), window.nearest(), measured);
        double psiThreshold = Math.max(
                thresholds.psiFloor(),
                thresholds.psiFactor()
                        * Distances.expectedStability(baseline.clusters(), baseline.requests(), measured));
        double ks = Distances.kolmogorovSmirnov(baseline.similarities(), window.similarities());
        double ksThreshold =
                Distances.significantKolmogorovSmirnov(thresholds.significance(), baseline.requests(), measured);
        double drop = baseline.meanSimilarity() - window.meanSimilarity();
        int hottest = hottest(window.nearest());
        return new DriftVerdict(
                psi,
                psiThreshold,
                ks,
                ksThreshold,
                window.meanSimilarity(),
                baseline.meanSimilarity(),
                psi > psiThreshold,
                ks > ksThreshold && drop > thresholds.similarityDrop(),
                hottest,
                (double) window.nearest().get(hottest) / measured,
                baseline.shares().get(hottest),
                (double) window.spilled() / measured,
                (double) window.singletonBands() / measured,
                (double) window.withoutSignature() / window.requests());
    }

    private static int hottest(List<Long> nearest) {
        int hottest = 0;
        for (int k = 1; k < nearest.size(); k++) {
            hottest = nearest.get(k) > nearest.get(hottest) ? k : hottest;
        }
        return hottest;
    }
}
