package io.eldr.calibration.refit;

import io.eldr.calibration.refit.RefitLifecycle.Attempt;
import io.eldr.calibration.web.Fields;
import io.eldr.core.calibration.CalibrationReport;
import java.util.Locale;
import java.util.Optional;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes the report of a refit: the fit's own figures, on what they stand, and what the gate said. */
@Component
class RefitReport {
    static final String GATE = "gate";
    static final String AGAINST = "activeVersion";
    static final String RULE = "rule";

    private final JsonMapper json;

    RefitReport(JsonMapper json) {
        this.json = json;
    }

    /** @param shortOfMemory a warning, where memory kept samples out */
    String write(
            Attempt attempt,
            CalibrationReport fitted,
            RefitInput input,
            HeldBack samples,
            FitPlan plan,
            Judgement judgement,
            Optional<ActiveVersion> active,
            Optional<String> shortOfMemory) {
        ObjectNode report = json.readValue(fitted.toJson(), ObjectNode.class);
        ArrayNode warnings = report.withArray("warnings");
        shortOfMemory.ifPresent(warnings::add);
        judgement.warnings().forEach(warnings::add);
        basis(report.putObject("basis"), attempt, input, samples, plan);
        gate(report.putObject(GATE), attempt, judgement, active);
        return json.writeValueAsString(report);
    }

    private static void basis(ObjectNode basis, Attempt attempt, RefitInput input, HeldBack samples, FitPlan plan) {
        basis.put("kind", Fields.word(plan.basis()));
        basis.put("trigger", Fields.word(attempt.trigger()));
        plan.keptFrom().ifPresent(version -> basis.put("keptFromVersion", version));
        basis.put("samplesRead", input.read().size());
        basis.put("samplesHeldBack", input.read().size() - samples.fitted().size());
        basis.put("samplesUsed", plan.samples().size());
        basis.put(
                "samplesWithDecode",
                input.read().stream()
                        .filter(read -> read.sample().decode().isPresent())
                        .count());
    }

    private static void gate(ObjectNode gate, Attempt attempt, Judgement judgement, Optional<ActiveVersion> active) {
        gate.setAll(judgement.figures());
        gate.put("passed", judgement.passed());
        gate.put("judgedOn", judgement.on().word());
        gate.put(RULE, judgement.rule().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        active.ifPresent(version -> gate.put(AGAINST, version.number()));
        gate.put("overridden", attempt.force() && !judgement.passed());
    }
}
