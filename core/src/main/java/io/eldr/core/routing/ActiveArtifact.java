package io.eldr.core.routing;

import io.eldr.core.artifact.RoutingArtifact;
import java.util.Collection;

/**
 * An artifact as a pool's router uses it.
 *
 * @param version its number in the pool
 * @param binding which cluster stands for which live decoder
 */
public record ActiveArtifact(long version, FoldedCentroids centroids, SlotBinding binding) {
    /** @param live the slots of all decoders of the pool that are not gone */
    public static ActiveArtifact of(long version, RoutingArtifact artifact, Collection<String> live) {
        return new ActiveArtifact(version, FoldedCentroids.of(artifact), SlotBinding.of(artifact, live));
    }

    /** The same artifact, not folded again, for another set of decoders. */
    public ActiveArtifact boundTo(SlotBinding newBinding) {
        return new ActiveArtifact(version, centroids, newBinding);
    }
}
