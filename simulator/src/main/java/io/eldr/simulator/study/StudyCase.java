package io.eldr.simulator.study;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.simulator.workload.ServedRequests;

/** What one seed's runs start from: an artifact, and the requests that are served, which it has not seen. */
public record StudyCase(RoutingArtifact artifact, ServedRequests served) {}
