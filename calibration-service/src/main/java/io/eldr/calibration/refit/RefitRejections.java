package io.eldr.calibration.refit;

import io.eldr.calibration.refit.RefitLifecycle.Attempt;
import io.eldr.db.refit.RefitRun;
import io.eldr.db.refit.RefitRunRepository;
import io.eldr.db.refit.RefitState;
import java.util.Optional;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the gate said before: equal inputs beside the same active version would only be rejected again. */
@Component
class RefitRejections {
    private static final int NONE = 0;

    private final RefitRunRepository runs;
    private final JsonMapper json;

    RefitRejections(RefitRunRepository runs, JsonMapper json) {
        this.runs = runs;
        this.json = json;
    }

    /** The end of an earlier run. */
    record Earlier(String reason, String report) {}

    Optional<Earlier> of(Attempt attempt, byte[] fingerprint, Optional<ActiveVersion> active) {
        return runs.findFirstByPoolIdAndStateAndInputFingerprintOrderByIdDesc(
                        attempt.poolId(), RefitState.REJECTED, fingerprint)
                .filter(run -> run.trigger() == attempt.trigger())
                .filter(run -> wasJudgedAgainst(run, active))
                .flatMap(run ->
                        run.reason().flatMap(reason -> run.report().map(report -> new Earlier(reason, report))));
    }

    private boolean wasJudgedAgainst(RefitRun run, Optional<ActiveVersion> active) {
        Optional<JsonNode> gate =
                run.report().map(report -> json.readTree(report).path(RefitReport.GATE));
        return gate.isPresent()
                && gate.get().isObject()
                && gate.get().path(RefitReport.AGAINST).asInt(NONE)
                        == active.map(ActiveVersion::number).orElse(NONE);
    }
}
