package io.eldr.core.routing;

import io.eldr.core.artifact.RoutingArtifact;
import java.util.Collection;
import java.util.Optional;

/**
 * An artifact as a pool's router uses it.
 *
 * @param version its number in the pool
 * @param binding which cluster stands for which live decoder
 * @param labels which live decoders are set aside for which label
 * @param forecast of what requests will use; empty where the artifact does not say what its clusters do
 */
public record ActiveArtifact(
        long version,
        FoldedCentroids centroids,
        SlotBinding binding,
        LabelPlacement labels,
        Optional<FoldedForecast> forecast) {
    /** @param live the slots of all decoders of the pool that are not gone */
    public static ActiveArtifact of(long version, RoutingArtifact artifact, Collection<String> live) {
        FoldedCentroids centroids = FoldedCentroids.of(artifact);
        return bound(version, centroids, FoldedForecast.of(artifact, centroids), artifact, live);
    }

    /**
     * The same artifact, not folded again, for another set of decoders.
     *
     * @param artifact what this was made of
     */
    public ActiveArtifact boundTo(RoutingArtifact artifact, Collection<String> live) {
        return bound(version, centroids, forecast, artifact, live);
    }

    private static ActiveArtifact bound(
            long version,
            FoldedCentroids centroids,
            Optional<FoldedForecast> forecast,
            RoutingArtifact artifact,
            Collection<String> live) {
        return new ActiveArtifact(
                version,
                centroids,
                SlotBinding.of(artifact, live),
                LabelPlacement.of(artifact.evidence().labelShares(), live),
                forecast);
    }
}
