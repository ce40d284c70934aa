package io.eldr.simulator.study;

import io.eldr.core.routing.PolicyName;
import io.eldr.simulator.cluster.RunFigures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** Sets the runs of one load beside one another. */
final class Comparisons {
    /** The policies that know nothing of experts. */
    static final Set<PolicyName> LOAD_BALANCERS =
            EnumSet.of(PolicyName.RANDOM, PolicyName.ROUND_ROBIN, PolicyName.JSQ, PolicyName.P2C);

    private static final double PERCENT = 100;

    private Comparisons() {}

    /** The same runs with their changes against round robin and the best load balancer among them. */
    static List<PolicyRun> of(List<PolicyRun> runs) {
        List<PolicyRun> balancers = runs.stream()
                .filter(run ->
                        LOAD_BALANCERS.contains(run.policy()) && run.unstable().isEmpty())
                .toList();
        Optional<PolicyRun> roundRobin = balancers.stream()
                .filter(run -> run.policy() == PolicyName.ROUND_ROBIN)
                .findFirst();
        return runs.stream()
                .map(run -> run.unstable().isPresent()
                        ? run
                        : run.compared(roundRobin.map(base -> against(run, base, base, base)), best(run, balancers)))
                .toList();
    }

    private static Optional<PolicyRun.Comparison> best(PolicyRun run, List<PolicyRun> balancers) {
        return balancers.isEmpty()
                ? Optional.empty()
                : Optional.of(against(
                        run,
                        lowest(balancers, Comparisons::p50),
                        lowest(balancers, Comparisons::p95),
                        lowest(balancers, Comparisons::p99)));
    }

    private static PolicyRun lowest(List<PolicyRun> runs, ToDoubleFunction<RunFigures> figure) {
        return runs.stream()
                .min(Comparator.comparingDouble(run -> run.over(figure).mean()))
                .orElseThrow();
    }

    private static PolicyRun.Comparison against(PolicyRun run, PolicyRun p50, PolicyRun p95, PolicyRun p99) {
        return new PolicyRun.Comparison(
                change(run, p50, Comparisons::p50),
                change(run, p95, Comparisons::p95),
                change(run, p99, Comparisons::p99));
    }

    private static Interval change(PolicyRun run, PolicyRun base, ToDoubleFunction<RunFigures> figure) {
        List<Double> changes = new ArrayList<>();
        for (int seed = 0; seed < run.bySeed().size(); seed++) {
            double value = figure.applyAsDouble(run.bySeed().get(seed));
            double reference = figure.applyAsDouble(base.bySeed().get(seed));
            changes.add((value / reference - 1) * PERCENT);
        }
        return Interval.of(changes);
    }

    static double p50(RunFigures figures) {
        return figures.tpotMs().p50();
    }

    static double p95(RunFigures figures) {
        return figures.tpotMs().p95();
    }

    static double p99(RunFigures figures) {
        return figures.tpotMs().p99();
    }
}
