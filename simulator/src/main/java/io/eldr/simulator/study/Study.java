package io.eldr.simulator.study;

import io.eldr.core.cost.DecoderModel;
import io.eldr.core.routing.PolicyName;
import io.eldr.core.trace.TokenOrigin;
import io.eldr.core.vector.Interrupts;
import io.eldr.core.vector.Parallel;
import io.eldr.simulator.cluster.RunFigures;
import io.eldr.simulator.cluster.Simulation;
import io.eldr.simulator.cluster.UseSource;
import io.eldr.simulator.workload.Arrivals;
import io.eldr.simulator.workload.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Runs a plan. The same plan and cases give the same report, bit for bit, whatever the number of threads. */
public final class Study {
    private final StudyPlan plan;
    private final StudyCases cases;
    private final Parallel parallel;
    private final StudyListener listener;

    private Study(StudyPlan plan, StudyCases cases, Parallel parallel, StudyListener listener) {
        this.plan = plan;
        this.cases = cases;
        this.parallel = parallel;
        this.listener = listener;
    }

    /**
     * Interrupting the thread ends it with a {@link java.util.concurrent.CancellationException}.
     *
     * @throws io.eldr.core.signature.InvalidInputException where plan and requests do not go together
     */
    public static StudyReport run(StudyPlan plan, StudyCases cases, Parallel parallel, StudyListener listener) {
        return new Study(plan, cases, parallel, listener).run();
    }

    /** What is run over all seeds. */
    private record Cell(int decoders, Arrivals arrivals, PolicyName policy, Optional<TauChoice> tau) {}

    private StudyReport run() {
        List<PolicyRun> runs = new ArrayList<>();
        TokenOrigin origin = TokenOrigin.RECORDED;
        int fits = plan.decoders().size() * plan.seeds();
        AtomicInteger simulated = new AtomicInteger();
        List<Cell> cellsOfLoad = cells(plan.decoders().getFirst(), plan.arrivals());
        int total = fits * plan.arrivalsByRate().size() * cellsOfLoad.size();
        for (int d = 0; d < plan.decoders().size(); d++) {
            int decoders = plan.decoders().get(d);
            List<StudyCase> prepared = new ArrayList<>();
            for (int s = 0; s < plan.seeds(); s++) {
                Interrupts.check();
                listener.progress(StudyListener.Stage.FIT, d * plan.seeds() + s, fits);
                prepared.add(cases.prepare(decoders, plan.firstSeed() + s));
            }
            origin = prepared.getFirst().served().origin();
            for (Arrivals arrivals : plan.arrivalsByRate()) {
                runs.addAll(Comparisons.of(runs(cells(decoders, arrivals), prepared, simulated, total)).stream()
                        .filter(run -> plan.policies().contains(run.policy()))
                        .toList());
            }
        }
        return new StudyReport(plan, origin, runs);
    }

    /** Round robin first where nobody asked for it: the others are told against it. */
    private List<Cell> cells(int decoders, Arrivals arrivals) {
        List<Cell> cells = new ArrayList<>();
        if (!plan.policies().contains(PolicyName.ROUND_ROBIN)) {
            cells.add(new Cell(decoders, arrivals, PolicyName.ROUND_ROBIN, Optional.empty()));
        }
        for (PolicyName policy : plan.policies()) {
            if (policy == PolicyName.ELDR) {
                plan.taus().forEach(tau -> cells.add(new Cell(decoders, arrivals, policy, Optional.of(tau))));
            } else {
                cells.add(new Cell(decoders, arrivals, policy, Optional.empty()));
            }
        }
        return cells;
    }

    private List<PolicyRun> runs(List<Cell> cells, List<StudyCase> prepared, AtomicInteger simulated, int total) {
        List<Workload> workloads = new ArrayList<>();
        for (int s = 0; s < plan.seeds(); s++) {
            workloads.add(Workload.of(
                    prepared.get(s).served(),
                    cells.getFirst().arrivals(),
                    plan.mix(),
                    plan.drift(),
                    plan.requests(),
                    plan.firstSeed() + s));
        }
        Optional<String> impossible = overPrefillCapacity(workloads.getFirst(), cells.getFirst());
        if (impossible.isPresent()) {
            simulated.addAndGet(cells.size() * plan.seeds());
            return cells.stream()
                    .map(cell -> run(cell, prepared, List.of(), impossible))
                    .toList();
        }
        @Nullable RunFigures[] figures = new RunFigures[cells.size() * plan.seeds()];
        parallel.forEach(figures.length, (_, i) -> {
            figures[i] = simulate(cells.get(i / plan.seeds()), i % plan.seeds(), prepared, workloads);
            listener.progress(StudyListener.Stage.SIMULATE, simulated.incrementAndGet(), total);
        });
        List<PolicyRun> runs = new ArrayList<>();
        for (int c = 0; c < cells.size(); c++) {
            List<RunFigures> bySeed = Arrays.stream(figures, c * plan.seeds(), (c + 1) * plan.seeds())
                    .map(Objects::requireNonNull)
                    .toList();
            Optional<String> unstable =
                    bySeed.stream().flatMap(run -> run.unstable().stream()).findFirst();
            runs.add(run(cells.get(c), prepared, bySeed, unstable));
        }
        return runs;
    }

    private RunFigures simulate(Cell cell, int seed, List<StudyCase> prepared, List<Workload> workloads) {
        return Simulation.run(
                workloads.get(seed),
                plan.cluster().withDecoders(cell.decoders()),
                prepared.get(seed).artifact(),
                cell.tau().map(TauChoice::tau).orElse(OptionalDouble.empty()),
                cell.policy()::create,
                use(cell.policy(), prepared.get(seed)),
                plan.firstSeed() + seed);
    }

    private static UseSource use(PolicyName policy, StudyCase prepared) {
        if (!policy.needsUse()) {
            return UseSource.NONE;
        }
        return prepared.toldTheTruth() ? UseSource.TRUTH : UseSource.FORECAST;
    }

    private static PolicyRun run(
            Cell cell, List<StudyCase> prepared, List<RunFigures> bySeed, Optional<String> unstable) {
        OptionalDouble tau = cell.tau().isEmpty()
                ? OptionalDouble.empty()
                : prepared.stream()
                        .mapToDouble(ready ->
                                cell.tau().get().tau().orElse(ready.artifact().recommendedTau()))
                        .average();
        return new PolicyRun(
                cell.policy(),
                cell.arrivals().rate(),
                cell.tau(),
                tau,
                cell.decoders(),
                bySeed,
                unstable,
                Optional.empty(),
                Optional.empty());
    }

    /** Prefill is one at a time, so its capacity is known beforehand, unless a cache spares some of it. */
    private Optional<String> overPrefillCapacity(Workload workload, Cell cell) {
        if (plan.cluster().prefixCacheTokens() > 0) {
            return Optional.empty();
        }
        DecoderModel model = new DecoderModel(plan.cluster().model());
        double millis = 0;
        for (int i = 0; i < workload.size(); i++) {
            millis += model.prefillMillis(workload.promptTokens(i));
        }
        double capacity = plan.cluster().prefillers() * 1e3 * workload.size() / millis;
        return cell.arrivals().rate() < capacity
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "the rate of %.1f requests a second is over the capacity of %d prefill workers, %.1f",
                        cell.arrivals().rate(),
                        plan.cluster().prefillers(),
                        capacity));
    }
}
