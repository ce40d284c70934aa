package io.eldr.router.artifact;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.router.intent.Activation;
import io.eldr.router.intent.PoolStatus;
import io.eldr.router.intent.StoredArtifact;
import java.time.Instant;

/**
 * An artifact that was verified and serves.
 *
 * @param stored its bytes, to be kept on disk
 * @param loadedAt when this router took it in
 */
public record LoadedArtifact(
        Activation activation,
        StoredArtifact stored,
        RoutingArtifact artifact,
        PoolStatus.Source source,
        Instant loadedAt) {}
