package io.eldr.core.calibration;

import io.eldr.core.artifact.RoutingArtifact;

/**
 * What a fit gives.
 *
 * @param artifact with the slots {@code "0".."K-1"}, not yet bound to decoders
 */
public record Calibration(RoutingArtifact artifact, CalibrationReport report) {}
