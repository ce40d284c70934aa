package io.eldr.benchmarks;

/**
 * How a fit went.
 *
 * @param n requests
 * @param k clusters
 * @param dims length of a signature
 * @param seed of the fit
 * @param seconds all together, without making up the requests
 * @param maskSeconds choosing representation and mask; where all layers are given, rho of the representations
 * @param clusterSeconds balanced K-means
 * @param peakHeapMiB the most that the heap held, garbage included
 * @param objective total cosine distance of the fitted requests to their centroids
 */
record FitFigures(
        int n,
        int k,
        int dims,
        long seed,
        double seconds,
        double maskSeconds,
        double clusterSeconds,
        long peakHeapMiB,
        double objective) {}
