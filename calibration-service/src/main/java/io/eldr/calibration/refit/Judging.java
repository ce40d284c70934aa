package io.eldr.calibration.refit;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.calibration.GateRule;
import io.eldr.core.calibration.GateVerdict;
import io.eldr.core.trace.RequestSample;
import java.util.List;
import java.util.Optional;

/** Says whether a candidate may take the place of the active version. */
@FunctionalInterface
public interface Judging {
    /**
     * @param active empty where there is none
     * @param requests what both are judged on
     * @param seed of everything random in it
     */
    GateVerdict judge(
            RoutingArtifact candidate,
            Optional<RoutingArtifact> active,
            List<RequestSample> requests,
            GateRule rule,
            long seed);
}
