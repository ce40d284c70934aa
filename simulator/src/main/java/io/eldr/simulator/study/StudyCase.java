package io.eldr.simulator.study;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.simulator.workload.ServedRequests;

/**
 * What one seed's runs start from.
 *
 * @param artifact not fitted on what is served
 * @param toldTheTruth whether policies that ask what a request will use are told what it was recorded to use
 */
public record StudyCase(RoutingArtifact artifact, ServedRequests served, boolean toldTheTruth) {
    /** Policies see prompts only. */
    public StudyCase(RoutingArtifact artifact, ServedRequests served) {
        this(artifact, served, false);
    }

    /** The same where nothing has to be foretold. */
    public StudyCase tellingTheTruth() {
        return new StudyCase(artifact, served, true);
    }
}
