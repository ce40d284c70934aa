package io.eldr.simulator.report;

import static io.eldr.simulator.report.Readings.mean;
import static io.eldr.simulator.report.Readings.number;
import static io.eldr.simulator.report.Readings.pct;
import static io.eldr.simulator.report.Table.number;
import static io.eldr.simulator.report.Table.text;

import io.eldr.core.calibration.MaskChoice;
import io.eldr.core.quality.Spearman;
import io.eldr.core.routing.PolicyName;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.Representation;
import io.eldr.simulator.study.PolicyRun;
import io.eldr.simulator.study.StudyCase;
import io.eldr.simulator.study.StudyCases;
import io.eldr.simulator.study.TauChoice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Whether rho, known before any router runs, foretells what a router gains: figure 14. */
final class ClaimFigure {
    private final Bench bench;

    ClaimFigure(Bench bench) {
        this.bench = bench;
    }

    Section claim(List<TraceSet> sets, List<String> absent) {
        List<Panel> panels = new ArrayList<>();
        List<String> broken = new ArrayList<>();
        for (TraceSet set : sets) {
            panels.add(panel(set, broken));
        }
        return new Section(
                "claim",
                "Rho against the change of TPOT (Fig. 14)",
                "Every representation with every mask and number of clusters is fitted and simulated at the tau that its"
                        + " artifact recommends, against round robin on the same requests. Rho is of requests held out of"
                        + " the fit. As many decoders as clusters; rate and prefill workers stay. Rank correlation is"
                        + " Spearman's, within each number of clusters, since the gain hangs on it for other reasons.",
                Section.NOT_PUBLISHED + " as a number; the paper's claim is that a higher rho goes with a lower"
                        + " TPOT, so a rank correlation well below 0",
                panels,
                absent,
                broken.isEmpty()
                        ? ""
                        : "A higher rho does not go with a lower TPOT on " + String.join(", ", broken)
                                + ". Probably because rho ranks all pairs of requests alike, while telling a few domains"
                                + " apart already gives most of what there is to gain; with few requests chance does the"
                                + " rest.",
                true);
    }

    private Panel panel(TraceSet set, List<String> broken) {
        Table.Builder table = Table.with(
                text("clusters", "clusters"),
                text("representation", "representation"),
                text("mask", "mask"),
                number("rho", "rho, held out", 3),
                number("p50", "P50 TPOT against RR, %", 2),
                number("p99", "P99 TPOT against RR, %", 2),
                number("tau", "tau", 3));
        Map<Integer, List<double[]>> points = new LinkedHashMap<>();
        for (int clusters : sizes(set)) {
            for (Representation representation : Representation.values()) {
                masks(set).forEach((name, mask) -> {
                    try {
                        Keeping cases = new Keeping(bench.cases(set, Optional.of(representation), mask));
                        PolicyRun run = bench.run(
                                        bench.studyPlan(
                                                set,
                                                List.of(PolicyName.ELDR),
                                                List.of(TauChoice.AUTO),
                                                List.of(clusters),
                                                List.of(Bench.rate(set, ReportPlan.RATE)),
                                                Bench.cluster(set, clusters)),
                                        cases)
                                .getFirst();
                        OptionalDouble rho = cases.rho(representation);
                        OptionalDouble p50 = mean(run, PolicyRun.Comparison::p50);
                        table.row(
                                clusters + " clusters",
                                representation.id(),
                                name,
                                rho,
                                p50,
                                mean(run, PolicyRun.Comparison::p99),
                                run.tau());
                        if (rho.isPresent() && p50.isPresent()) {
                            points.computeIfAbsent(clusters, _ -> new ArrayList<>())
                                    .add(new double[] {rho.getAsDouble(), p50.getAsDouble()});
                        }
                    } catch (InvalidInputException e) {
                        // A representation that is void in a layer: no such router can exist.
                        table.row(
                                clusters + " clusters",
                                representation.id(),
                                name,
                                Double.NaN,
                                Double.NaN,
                                Double.NaN,
                                Double.NaN);
                    }
                });
            }
        }
        List<String> found = new ArrayList<>();
        points.forEach((clusters, values) -> {
            OptionalDouble correlation = Spearman.correlation(column(values, 0), column(values, 1));
            found.add(number(correlation, 2) + " over " + values.size() + " fits of " + clusters
                    + " clusters (P50 from " + pct(least(values)) + " to " + pct(most(values)) + ")");
            if (correlation.orElse(0) > -0.5) {
                broken.add(set.name() + " with " + clusters + " clusters");
            }
        });
        return new Panel(
                PolicyFigures.title(set, ReportPlan.RATE),
                Chart.dots("rho", "p50", "clusters", "rho, held out", "P50 TPOT against round robin, %"),
                table.build(),
                found.isEmpty() ? "No fit could be simulated." : "Rank correlation " + String.join("; ", found) + ".");
    }

    private List<Integer> sizes(TraceSet set) {
        return bench.plan().clusters().stream()
                .map(clusters -> clusters * set.decoders() / 16)
                .toList();
    }

    private static Map<String, MaskChoice> masks(TraceSet set) {
        int layers = set.trace().geometry().layers();
        Map<String, MaskChoice> masks = new LinkedHashMap<>();
        masks.put("greedy", new MaskChoice.Auto());
        masks.put("all layers", new MaskChoice.All());
        masks.put("first layer", new MaskChoice.Given(LayerMask.of(layers, 0)));
        masks.put("last layer", new MaskChoice.Given(LayerMask.of(layers, layers - 1)));
        return masks;
    }

    private static double[] column(List<double[]> points, int column) {
        return points.stream().mapToDouble(point -> point[column]).toArray();
    }

    private static double least(List<double[]> points) {
        return points.stream().mapToDouble(point -> point[1]).min().orElse(Double.NaN);
    }

    private static double most(List<double[]> points) {
        return points.stream().mapToDouble(point -> point[1]).max().orElse(Double.NaN);
    }

    /** Keeps what was fitted, for its rho. */
    private static final class Keeping implements StudyCases {
        private final StudyCases cases;
        private final List<StudyCase> fitted = new ArrayList<>();

        Keeping(StudyCases cases) {
            this.cases = cases;
        }

        @Override
        public StudyCase prepare(int decoders, long seed) {
            StudyCase prepared = cases.prepare(decoders, seed);
            fitted.add(prepared);
            return prepared;
        }

        /** The mean over seeds. */
        OptionalDouble rho(Representation representation) {
            return fitted.stream()
                    .flatMap(prepared -> Stream.ofNullable(
                            prepared.artifact().evidence().rho().get(representation)))
                    .flatMap(rho -> rho.heldOut().stream())
                    .mapToDouble(Double::doubleValue)
                    .average();
        }
    }
}
