package io.eldr.calibration.refit;

import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.calibration.GateRule;
import io.eldr.core.calibration.GateVerdict;
import io.eldr.core.trace.RequestSample;
import io.eldr.db.refit.RefitTrigger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Decides on what, and by which rule, a candidate is judged beside the active version. Where the decoders or the model differ
 * there are no groups to compare, and only the shares count.
 */
@Component
class RefitGate {
    private static final int ENOUGH = 20;
    private static final int ENOUGH_PER_DECODER = 4;

    private final Judging judging;
    private final JsonMapper json;

    RefitGate(Judging judging, JsonMapper json) {
        this.judging = judging;
        this.json = json;
    }

    /** @param test what the fit kept for its last figures */
    Judgement judge(
            RoutingArtifact candidate,
            Optional<ActiveVersion> active,
            HeldBack samples,
            List<RequestSample> test,
            RefitTrigger trigger,
            long seed) {
        GateRule rule = rule(candidate, active, trigger);
        Judgement.On on = samples.judges().isEmpty() ? Judgement.On.TEST_PART : Judgement.On.NEWEST;
        List<RequestSample> requests = on == Judgement.On.NEWEST ? samples.judges() : test;
        if (requests.isEmpty()) {
            return new Judgement(
                    Judgement.On.NOTHING,
                    rule,
                    List.of(),
                    List.of("nothing was held out, so nothing judged this version"),
                    json.createObjectNode());
        }
        GateVerdict verdict = judging.judge(candidate, active.map(ActiveVersion::artifact), requests, rule, seed);
        List<String> reasons = verdict.passed() ? List.of() : verdict.reasons();
        List<String> warnings = new ArrayList<>(verdict.warnings());
        if (!reasons.isEmpty() && on == Judgement.On.TEST_PART && requests.size() < enough(candidate)) {
            warnings.addAll(reasons);
            warnings.add("only " + requests.size() + " requests judged, too few to reject a version");
            reasons = List.of();
        }
        return new Judgement(on, rule, reasons, warnings, json.readValue(verdict.toJson(), ObjectNode.class));
    }

    /** With fewer requests chance alone makes one decoder hot, and an interval narrow. */
    private static int enough(RoutingArtifact candidate) {
        return Math.max(ENOUGH, ENOUGH_PER_DECODER * candidate.clusters());
    }

    private static GateRule rule(RoutingArtifact candidate, Optional<ActiveVersion> active, RefitTrigger trigger) {
        boolean sameDecoders = active.isEmpty() || active.get().serves(candidate.slots());
        boolean sameModel =
                active.isEmpty() || isOfOneModel(active.get().artifact().model(), candidate.model());
        return trigger == RefitTrigger.TOPOLOGY || !sameDecoders || !sameModel ? GateRule.SHARES_ONLY : GateRule.FULL;
    }

    /** A revision that one of them does not name is taken to be the other's. */
    private static boolean isOfOneModel(ModelIdentity one, ModelIdentity other) {
        return one.name().equals(other.name())
                && one.geometry().equals(other.geometry())
                && (one.revision().isEmpty()
                        || other.revision().isEmpty()
                        || one.revision().equals(other.revision()));
    }
}
