package io.eldr.core.artifact;

import io.eldr.core.clustering.Centroids;
import io.eldr.core.placement.DecodePatterns;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.LayerMask;

/**
 * Calibration requests in M small groups, each with the mean of their signatures and of their decode patterns. A request's
 * pattern is the mean of those of its nearest groups, weighted by {@code exp(similarity / temperature)}.
 *
 * @param mask the layers by which similarity is judged; plain counts
 * @param centroids M of dimension {@code |mask| x E}
 * @param patterns those of the groups, [M,L,E]
 * @param nearest how many groups are mixed, 1 to M
 * @param temperature above 0; the smaller, the more the nearest counts
 */
public record PatternNeighbours(
        LayerMask mask, Centroids centroids, DecodePatterns patterns, int nearest, double temperature) {
    /** @throws InvalidInputException naming the part of {@code forecast} that does not fit the others */
    public PatternNeighbours {
        if (mask.layer(mask.size() - 1) >= patterns.layers()) {
            throw new InvalidInputException("forecast.mask", "names a layer that is not below " + patterns.layers());
        }
        if (centroids.dimensions() != mask.size() * patterns.experts()) {
            throw new InvalidInputException(
                    "forecast.centroids",
                    "have " + centroids.dimensions() + " dimensions but mask and experts make "
                            + mask.size() * patterns.experts());
        }
        if (centroids.count() != patterns.clusters()) {
            throw new InvalidInputException(
                    "forecast.patterns",
                    "are " + patterns.clusters() + " but there are " + centroids.count() + " centroids");
        }
        if (nearest < 1 || nearest > centroids.count()) {
            throw new InvalidInputException(
                    "forecast.nearest", "must be between 1 and " + centroids.count() + " but is " + nearest);
        }
        if (!(temperature > 0) || !Double.isFinite(temperature)) {
            throw new InvalidInputException(
                    "forecast.temperature", "must be a finite number above 0 but is " + temperature);
        }
    }

    /** M. */
    public int groups() {
        return centroids.count();
    }
}
