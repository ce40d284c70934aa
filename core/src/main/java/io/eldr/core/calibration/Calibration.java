package io.eldr.core.calibration;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.trace.RequestSample;
import java.util.List;

/**
 * What a fit gives.
 *
 * @param artifact with the slots {@code "0".."K-1"}, not yet bound to decoders
 * @param test the samples that took no part in the fit nor in any choice; empty where nothing was held out
 */
public record Calibration(RoutingArtifact artifact, CalibrationReport report, List<RequestSample> test) {
    public Calibration {
        test = List.copyOf(test);
    }
}
