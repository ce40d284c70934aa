package io.eldr.benchmarks;

/**
 * How long decisions take, from the raw uint16 counts of a request to its reservation.
 *
 * @param k16 among 16 decoders
 * @param k64 among 64
 * @param k256 among 256
 * @param arithmetic nothing but arithmetic that takes as long as the median decision among 16, in turn with those: its P99 is
 *     the machine's
 * @param allocBytes what one decision among 16 allocates, from the request's raw bytes to its reservation
 */
record DecisionFigures(Percentiles k16, Percentiles k64, Percentiles k256, Percentiles arithmetic, long allocBytes) {
    /** In microseconds. */
    record Percentiles(double p50us, double p99us) {}
}
