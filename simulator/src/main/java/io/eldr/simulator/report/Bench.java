package io.eldr.simulator.report;

import io.eldr.core.calibration.Calibration;
import io.eldr.core.calibration.CalibrationListener;
import io.eldr.core.calibration.CalibrationOptions;
import io.eldr.core.calibration.CalibrationReport;
import io.eldr.core.calibration.Calibrator;
import io.eldr.core.calibration.GatingComparison;
import io.eldr.core.calibration.MaskChoice;
import io.eldr.core.calibration.PairChoice;
import io.eldr.core.cost.ModelConstants;
import io.eldr.core.routing.PolicyName;
import io.eldr.core.signature.Representation;
import io.eldr.core.trace.GatingValue;
import io.eldr.core.vector.Parallel;
import io.eldr.simulator.cluster.ClusterSettings;
import io.eldr.simulator.study.FittedCases;
import io.eldr.simulator.study.PolicyRun;
import io.eldr.simulator.study.Study;
import io.eldr.simulator.study.StudyCase;
import io.eldr.simulator.study.StudyCases;
import io.eldr.simulator.study.StudyListener;
import io.eldr.simulator.study.StudyPlan;
import io.eldr.simulator.study.TauChoice;
import io.eldr.simulator.workload.Arrivals;
import io.eldr.simulator.workload.Mix;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the figures are measured with. Fits are kept, since several figures start from the same. */
final class Bench {
    static final double FIT_SHARE = 0.5;

    private final ReportPlan plan;
    private final Parallel parallel;
    private final Calibrator calibrator;
    private final Map<String, Calibration> calibrations = new HashMap<>();
    private final Map<String, StudyCase> prepared = new HashMap<>();

    Bench(ReportPlan plan, Parallel parallel) {
        this.plan = plan;
        this.parallel = parallel;
        this.calibrator = new Calibrator(parallel, System::nanoTime);
    }

    ReportPlan plan() {
        return plan;
    }

    Parallel parallel() {
        return parallel;
    }

    /** A fit on all of a set, with its report on what it held out. */
    Calibration calibration(TraceSet set, MaskChoice mask) {
        return calibrations.computeIfAbsent(
                set.name() + " " + mask,
                _ -> calibrator.calibrate(
                        set.model(),
                        set.samples(),
                        options(Optional.empty(), mask, set.decoders(), plan.seed()),
                        set.tokens(),
                        CalibrationListener.none()));
    }

    /** What that fit's rho would be with gating values instead of counts, where the set has them. */
    Map<GatingValue, CalibrationReport.RhoFigures> gating(TraceSet set, MaskChoice mask) {
        return GatingComparison.of(
                set.samples(), set.gating(), options(Optional.empty(), mask, set.decoders(), plan.seed()), parallel);
    }

    /** Half of a set fitted with everything left to the data, the other half to be served. */
    StudyCases cases(TraceSet set) {
        StudyCases fitted = cases(set, Optional.empty(), new MaskChoice.Auto());
        return (decoders, seed) ->
                prepared.computeIfAbsent(set.name() + " " + decoders + " " + seed, _ -> fitted.prepare(decoders, seed));
    }

    StudyCases cases(TraceSet set, Optional<Representation> representation, MaskChoice mask) {
        return new FittedCases(
                set.model(),
                set.samples(),
                set.tokens(),
                FIT_SHARE,
                (decoders, seed) -> options(representation, mask, decoders, seed),
                calibrator);
    }

    private static CalibrationOptions options(
            Optional<Representation> representation, MaskChoice mask, int clusters, long seed) {
        return new CalibrationOptions(
                clusters, representation, mask, seed, PairChoice.DEFAULT, CalibrationOptions.DEFAULT_HOLD_OUT);
    }

    Calibrator calibrator() {
        return calibrator;
    }

    /** Half as many prefill workers as decoders; small models scaled to Qwen. */
    static ClusterSettings cluster(TraceSet set, int decoders) {
        return ClusterSettings.plain(Math.max(1, set.decoders() / 2), decoders, constants(set));
    }

    static ModelConstants constants(TraceSet set) {
        return ModelConstants.scaledToQwen(
                set.trace().geometry().layers(), set.trace().geometry().experts());
    }

    /** What a rate for 16 decoders is for this set's. */
    static double rate(TraceSet set, double rate) {
        return rate * set.decoders() / 16;
    }

    Arrivals arrivals(TraceSet set, double rate) {
        return new Arrivals.Poisson(rate, set.promptTokens(), plan.outputTokens());
    }

    StudyPlan studyPlan(
            TraceSet set,
            List<PolicyName> policies,
            List<TauChoice> taus,
            List<Integer> decoders,
            List<Double> rates,
            ClusterSettings cluster) {
        return new StudyPlan(
                policies,
                taus,
                decoders,
                rates,
                cluster,
                arrivals(set, rates.getFirst()),
                new Mix.Recorded(),
                Optional.empty(),
                plan.requests(),
                plan.seeds(),
                plan.seed());
    }

    List<PolicyRun> run(StudyPlan study, StudyCases cases) {
        return Study.run(study, cases, parallel, StudyListener.none()).runs();
    }
}
