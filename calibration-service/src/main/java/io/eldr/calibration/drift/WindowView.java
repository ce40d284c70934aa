package io.eldr.calibration.drift;

import io.eldr.core.drift.DriftVerdict;
import io.eldr.db.drift.JudgedWindow;
import java.time.Instant;

/**
 * A full window as the API and the audit log show it.
 *
 * @param requests how many requests it held, those without a signature included
 * @param psi how far the nearest clusters' shares are from the held-out ones
 * @param ks how far the best similarities are from the held-out ones
 * @param mixShift whether psi counts as drift
 * @param newContent whether ks does, which takes a fall of the mean similarity too
 * @param spillRate the share of requests that went to a decoder of another cluster than the nearest
 * @param singletonBandShare the share of requests with one decoder only within tau
 * @param alarm whether the pool was in alarm after it
 */
record WindowView(
        long generation,
        int version,
        Instant startedAt,
        Instant endedAt,
        long requests,
        double psi,
        double psiThreshold,
        double ks,
        double ksThreshold,
        double meanSimilarity,
        double heldOutMeanSimilarity,
        boolean mixShift,
        boolean newContent,
        Hottest hottest,
        double spillRate,
        double singletonBandShare,
        double withoutSignatureShare,
        boolean alarm) {
    /**
     * The cluster that most requests were nearest to.
     *
     * @param slot the decoder slot that it is bound to
     * @param heldOutShare its share among the held-out requests
     */
    record Hottest(int cluster, String slot, double share, double heldOutShare) {}

    static WindowView of(JudgedWindow window) {
        DriftVerdict verdict = window.verdict();
        return new WindowView(
                window.generation(),
                window.version(),
                window.startedAt(),
                window.endedAt(),
                window.requests(),
                verdict.psi(),
                verdict.psiThreshold(),
                verdict.ks(),
                verdict.ksThreshold(),
                verdict.meanSimilarity(),
                verdict.heldOutMeanSimilarity(),
                verdict.mixShift(),
                verdict.newContent(),
                new Hottest(
                        verdict.hottestCluster(),
                        window.hottestSlot(),
                        verdict.hottestShare(),
                        verdict.hottestHeldOutShare()),
                verdict.spillRate(),
                verdict.singletonBandShare(),
                verdict.withoutSignatureShare(),
                window.alarm());
    }
}
