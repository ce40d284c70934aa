package io.eldr.benchmarks.route;

/**
 * What decisions cost over HTTP on loopback, and what an endpoint of the same application costs that does nothing with the
 * same body.
 *
 * @param raw bodies of raw counts
 * @param json JSON bodies with the same counts in base64
 * @param rssMiB what the router's process holds in memory afterwards
 */
public record RouteFigures(Figures raw, Figures json, Empty empty, double rssMiB) {
    /** The endpoint that reads the body and answers 204. */
    public record Empty(Figures raw, Figures json) {}

    /**
     * @param p50ms one request at a time
     * @param p99ms one request at a time
     * @param rps requests a second, 16 at a time
     * @param cpuMsPerRequest what the router's process spends on each, 16 at a time
     */
    public record Figures(double p50ms, double p99ms, double rps, double cpuMsPerRequest) {}
}
