package io.eldr.simulator.report;

import java.util.List;

/**
 * How much is measured.
 *
 * @param seed the first of the seeds
 * @param seeds of each simulation
 * @param requests in each simulation
 * @param outputTokens of each answer
 * @param rates requests a second for 16 decoders; scaled to a set's number of decoders
 * @param taus widths of the band
 * @param clusters the numbers of decoders over which rho is set against the change of TPOT, for 16 decoders
 */
public record ReportPlan(
        boolean quick,
        long seed,
        int seeds,
        int requests,
        int outputTokens,
        List<Double> rates,
        List<Double> taus,
        List<Integer> clusters) {
    /** The authors' rate at which tau was swept, for 16 decoders. */
    static final double RATE = 60;

    public ReportPlan {
        rates = List.copyOf(rates);
        taus = List.copyOf(taus);
        clusters = List.copyOf(clusters);
    }

    /** Everything. */
    public static ReportPlan full(long seed) {
        return new ReportPlan(
                false,
                seed,
                5,
                6_000,
                512,
                List.of(20.0, 40.0, 60.0, 80.0, 100.0),
                List.of(0.0, 0.02, 0.05, 0.1, 0.2, 0.3),
                List.of(8, 16, 24));
    }

    /** Enough to see each shape, in minutes. */
    public static ReportPlan quick(long seed) {
        return new ReportPlan(
                true, seed, 2, 2_500, 256, List.of(20.0, 60.0, 100.0), List.of(0.0, 0.05, 0.1, 0.3), List.of(16));
    }

    public ReportPlan withRequests(int other) {
        return new ReportPlan(quick, seed, seeds, other, outputTokens, rates, taus, clusters);
    }

    public ReportPlan withSeeds(int other) {
        return new ReportPlan(quick, seed, other, requests, outputTokens, rates, taus, clusters);
    }
}
