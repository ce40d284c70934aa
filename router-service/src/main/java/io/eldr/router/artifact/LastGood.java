package io.eldr.router.artifact;

import io.eldr.router.intent.Activation;
import io.eldr.router.intent.PoolIntent;
import io.eldr.router.intent.StoredArtifact;
import java.util.List;
import java.util.Optional;

/**
 * What the router needs to go on without Postgres: its pools, their workers, policies and artifacts, as they were together
 * at one moment.
 */
public record LastGood(List<SavedPool> pools) {
    public LastGood {
        pools = List.copyOf(pools);
    }

    /**
     * A pool.
     *
     * @param artifact the one that served, which need not be the one that was wanted
     */
    public record SavedPool(PoolIntent intent, Optional<SavedArtifact> artifact) {}

    /** An artifact with the activation it served under. */
    public record SavedArtifact(Activation activation, StoredArtifact stored) {}
}
