package io.eldr.simulator.report;

import io.eldr.core.trace.ArrivalTrace;
import io.eldr.core.vector.Parallel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Measures every figure on every trace set that can carry it. */
public final class Evaluation {
    private final ReportPlan plan;
    private final List<TraceSet> sets;
    private final List<ExpertSums> sums;
    private final List<String> absent;
    private final Optional<ArrivalTrace> prompts;
    private final Parallel parallel;
    private final Consumer<String> progress;

    private Evaluation(
            ReportPlan plan,
            List<TraceSet> sets,
            List<ExpertSums> sums,
            List<String> absent,
            Optional<ArrivalTrace> prompts,
            Parallel parallel,
            Consumer<String> progress) {
        this.plan = plan;
        this.sets = sets;
        this.sums = sums;
        this.absent = absent;
        this.prompts = prompts;
        this.parallel = parallel;
        this.progress = progress;
    }

    /**
     * @param sets at least one
     * @param sums of models of which no requests are published
     * @param absent what else could have been measured, and why it was not
     * @param prompts arrivals of which it is known what prompts have in common; empty where there are none
     * @param progress hears the name of each figure before it is measured
     */
    public static EvaluationReport run(
            ReportPlan plan,
            List<TraceSet> sets,
            List<ExpertSums> sums,
            List<String> absent,
            Optional<ArrivalTrace> prompts,
            Parallel parallel,
            Consumer<String> progress) {
        return new Evaluation(plan, sets, sums, absent, prompts, parallel, progress).run();
    }

    private EvaluationReport run() {
        Bench bench = new Bench(plan, parallel);
        List<TraceSet> decoding = sets.stream().filter(TraceSet::decodes).toList();
        List<String> lacking = new ArrayList<>(absent);
        sets.stream()
                .filter(set -> !set.decodes())
                .map(set -> set.name() + ": has prompts only")
                .forEach(lacking::add);
        sums.forEach(each -> lacking.add(each.name() + ": has sums over all requests only"));
        SignatureFigures signatures = new SignatureFigures(bench);
        DomainFigures domains = new DomainFigures(bench);
        List<Section> sections = new ArrayList<>();
        add(sections, "rho", () -> signatures.rho(decoding, lacking));
        add(sections, "mask", () -> signatures.mask(decoding, lacking));
        add(sections, "correlation", () -> domains.correlation(decoding, lacking));
        add(sections, "union", () -> domains.union(decoding, lacking));
        add(sections, "skew", () -> domains.skew(sets, sums, absent));
        PolicyFigures policies = new PolicyFigures(bench);
        add(sections, "tau", () -> policies.tau(decoding, lacking));
        add(sections, "rates", () -> policies.rates(decoding, lacking));
        add(sections, "pool", () -> policies.pool(decoding, lacking));
        add(sections, "claim", () -> new ClaimFigure(bench).claim(decoding, lacking));
        ChoiceFigures choices = new ChoiceFigures(bench);
        add(sections, "kmeans", () -> choices.kMeans(decoding, lacking));
        add(sections, "overhead", () -> new OverheadFigure(bench).overhead(decoding, lacking));
        add(sections, "drift", () -> new DriftFigure(bench).drift(decoding, lacking));
        add(sections, "prefix", () -> choices.prefixCache(decoding, prompts, lacking));
        add(sections, "constants", () -> choices.constants(decoding, lacking));
        return new EvaluationReport(plan, sets, absent, sections);
    }

    private void add(List<Section> sections, String name, Supplier<Section> section) {
        progress.accept(name);
        sections.add(section.get());
    }
}
