package io.eldr.benchmarks;

/**
 * How fast the dot products of a cost pass are on one core, which says what limits a large fit. A multiplication with its
 * addition counts as two operations.
 *
 * @param rows signatures multiplied
 * @param k centroids they are multiplied with
 * @param dims length of both
 * @param singleGflops 10^9 operations a second where each row meets all centroids by itself
 * @param blockGflops the same where blocks of rows meet blocks of centroids, as a fit does it
 * @param readGBs 10^9 bytes of rows read a second where each row meets one vector only
 */
record KernelFigures(int rows, int k, int dims, double singleGflops, double blockGflops, double readGBs) {}
