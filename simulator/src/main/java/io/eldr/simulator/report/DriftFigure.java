package io.eldr.simulator.report;

import static io.eldr.simulator.report.Readings.number;
import static io.eldr.simulator.report.Readings.pct;
import static io.eldr.simulator.report.Table.number;
import static io.eldr.simulator.report.Table.text;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.calibration.CalibrationListener;
import io.eldr.core.calibration.CalibrationOptions;
import io.eldr.core.routing.PolicyName;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.trace.RequestSample;
import io.eldr.simulator.cluster.Change;
import io.eldr.simulator.cluster.RunFigures;
import io.eldr.simulator.cluster.Simulation;
import io.eldr.simulator.study.Interval;
import io.eldr.simulator.study.SeededSplit;
import io.eldr.simulator.workload.Mix;
import io.eldr.simulator.workload.MixDrift;
import io.eldr.simulator.workload.ServedRequests;
import io.eldr.simulator.workload.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/** What new content costs an artifact that has not seen it, and what a refit brings back. */
final class DriftFigure {
    private static final Mix BEFORE = new Mix.Zipf(1.5);
    private static final MixDrift DRIFT = new MixDrift(new Mix.Zipf(-1.5), 0.2, 0.3);
    private static final double REFIT_AT = 0.45;
    private static final String STALE = "no refit";
    private static final String REFIT = "refit";
    private static final String KNOWN = "fitted on all from the start";

    private final Bench bench;

    DriftFigure(Bench bench) {
        this.bench = bench;
    }

    Section drift(List<TraceSet> sets, List<String> absent) {
        List<Panel> panels = new ArrayList<>();
        List<String> lacking = new ArrayList<>(absent);
        for (TraceSet set : sets) {
            try {
                panels.add(panel(set));
            } catch (InvalidInputException e) {
                lacking.add(set.name() + ": " + e.getMessage());
            }
        }
        return new Section(
                "drift",
                "Drift with and without refit",
                "The mix goes from zipf:1.5 over the labels to zipf:-1.5 between 20 and 30 % of the requests. The first"
                        + " artifact has seen the more frequent half of the labels only; a refit that has seen all is adopted"
                        + " at 45 %, or never. Measured from 20 to 90 % of the requests, so before and after the refit.",
                Section.NOT_PUBLISHED,
                panels,
                lacking,
                "",
                true);
    }

    private Panel panel(TraceSet set) {
        Map<String, List<Double>> p50 = new LinkedHashMap<>();
        Map<String, List<Double>> p99 = new LinkedHashMap<>();
        Optional<String> unstable = Optional.empty();
        for (int i = 0; i < bench.plan().seeds(); i++) {
            long seed = bench.plan().seed() + i;
            Runs runs = new Runs(set, seed);
            RunFigures base = runs.run(PolicyName.ROUND_ROBIN, runs.all, Optional.empty());
            Map<String, RunFigures> compared = new LinkedHashMap<>();
            compared.put(STALE, runs.run(PolicyName.ELDR, runs.old, Optional.empty()));
            compared.put(REFIT, runs.run(PolicyName.ELDR, runs.old, Optional.of(runs.all)));
            compared.put(KNOWN, runs.run(PolicyName.ELDR, runs.all, Optional.empty()));
            unstable = unstable.or(base::unstable);
            compared.forEach((name, figures) -> {
                p50.computeIfAbsent(name, _ -> new ArrayList<>())
                        .add(change(figures.tpotMs().p50(), base.tpotMs().p50()));
                p99.computeIfAbsent(name, _ -> new ArrayList<>())
                        .add(change(figures.tpotMs().p99(), base.tpotMs().p99()));
            });
        }
        Table.Builder table = Table.with(
                text("artifact", "artifact"),
                number("p50", "P50 TPOT against RR, %", 1),
                number("p50Low", "", 1),
                number("p50High", "", 1),
                number("p99", "P99 TPOT against RR, %", 1),
                number("p99Low", "", 1),
                number("p99High", "", 1));
        Map<String, Double> means = new LinkedHashMap<>();
        p50.forEach((name, changes) -> {
            Interval median = Interval.of(changes);
            Interval tail = Interval.of(p99.getOrDefault(name, List.of()));
            table.row(name, median.mean(), median.low(), median.high(), tail.mean(), tail.low(), tail.high());
            means.put(name, median.mean());
        });
        double stale = means.getOrDefault(STALE, 0.0);
        double refit = means.getOrDefault(REFIT, 0.0);
        double known = means.getOrDefault(KNOWN, 0.0);
        double lost = stale - known;
        return new Panel(
                PolicyFigures.title(set, ReportPlan.RATE),
                Chart.bars("artifact", List.of("p50", "p99"), "artifact", "TPOT against round robin, %"),
                table.build(),
                "Without a refit P50 is " + pct(stale) + ", with one " + pct(refit)
                        + ", with the labels known from the start "
                        + pct(known) + "."
                        + (lost > 0.1
                                ? " The refit brings back "
                                        + (refit <= known
                                                ? "all that was lost."
                                                : number(100 * (stale - refit) / lost, 0) + " % of what was lost.")
                                : " The old artifact loses nothing here: its clusters tell the new labels apart too.")
                        + unstable.map(reason -> " Unstable: " + reason + ".").orElse(""));
    }

    private static double change(double value, double base) {
        return 100 * (value / base - 1);
    }

    /** One seed's requests, and the artifacts before and after. */
    private final class Runs {
        private final TraceSet set;
        private final long seed;
        private final double rate;
        private final Workload workload;
        private final RoutingArtifact old;
        private final RoutingArtifact all;

        Runs(TraceSet set, long seed) {
            this.set = set;
            this.seed = seed;
            this.rate = Bench.rate(set, ReportPlan.RATE);
            SeededSplit split = SeededSplit.of(set.samples(), Bench.FIT_SHARE, seed);
            ServedRequests served = ServedRequests.of(set.trace().geometry(), split.served(), set.tokens(), seed);
            this.workload = Workload.of(
                    served,
                    bench.arrivals(set, rate),
                    BEFORE,
                    Optional.of(DRIFT),
                    bench.plan().requests(),
                    seed);
            Set<String> frequent = frequent(split.fit());
            this.old = fit(split.fit().stream()
                    .filter(sample -> frequent.contains(sample.label()))
                    .toList());
            this.all = fit(split.fit());
        }

        private RoutingArtifact fit(List<RequestSample> samples) {
            return bench.calibrator()
                    .calibrate(
                            set.model(),
                            samples,
                            CalibrationOptions.automatic(set.decoders(), seed),
                            set.tokens(),
                            CalibrationListener.none())
                    .artifact();
        }

        RunFigures run(PolicyName policy, RoutingArtifact artifact, Optional<RoutingArtifact> refit) {
            double seconds = REFIT_AT * bench.plan().requests() / rate;
            List<Change.Timed> changes = refit.stream()
                    .map(fitted -> new Change.Timed(seconds, new Change.Adopt(fitted)))
                    .toList();
            return Simulation.run(
                    workload,
                    Bench.cluster(set, set.decoders()).withChanges(changes),
                    artifact,
                    OptionalDouble.empty(),
                    policy::create,
                    seed);
        }
    }

    /** The more frequent half of the labels. */
    private static Set<String> frequent(List<RequestSample> samples) {
        Map<String, Long> counts =
                samples.stream().collect(Collectors.groupingBy(RequestSample::label, Collectors.counting()));
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit((counts.size() + 1) / 2)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }
}
