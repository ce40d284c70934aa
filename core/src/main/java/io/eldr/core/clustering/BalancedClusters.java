package io.eldr.core.clustering;

/**
 * What {@link BalancedSphericalKMeans} found.
 *
 * @param assignment of the fitted rows to these very centroids: exact, at most {@code ceil(N/K)} rows a cluster
 * @param iterations how many times the centroids were moved
 * @param converged false if it ended only because of the limit on iterations
 */
public record BalancedClusters(Centroids centroids, Assignment assignment, int iterations, boolean converged) {
    /** The lowest total cosine distance of the fitted rows to the centroids under the capacity. */
    public double objective() {
        return assignment.objective();
    }

    public int[] sizes() {
        return assignment.sizes();
    }
}
