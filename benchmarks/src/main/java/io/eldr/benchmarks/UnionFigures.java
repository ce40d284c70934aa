package io.eldr.benchmarks;

/**
 * What policy union costs beside policy eldr: from the raw counts of a request to its reservation, and closing another.
 *
 * @param eldr16 policy eldr among 16 decoders
 * @param union16 policy union among the same
 * @param eldr64 policy eldr among 64
 * @param union64 policy union among the same
 */
record UnionFigures(
        DecisionFigures.Percentiles eldr16,
        DecisionFigures.Percentiles union16,
        DecisionFigures.Percentiles eldr64,
        DecisionFigures.Percentiles union64) {}
