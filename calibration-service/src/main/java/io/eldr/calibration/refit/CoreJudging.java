package io.eldr.calibration.refit;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.calibration.Gate;
import io.eldr.core.calibration.GateRule;
import io.eldr.core.calibration.GateVerdict;
import io.eldr.core.trace.RequestSample;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The core's gate. */
@Component
class CoreJudging implements Judging {
    private final FitThreads threads;

    CoreJudging(FitThreads threads) {
        this.threads = threads;
    }

    @Override
    public GateVerdict judge(
            RoutingArtifact candidate,
            Optional<RoutingArtifact> active,
            List<RequestSample> requests,
            GateRule rule,
            long seed) {
        return Gate.judge(candidate, active, requests, rule, seed, threads.parallel());
    }
}
