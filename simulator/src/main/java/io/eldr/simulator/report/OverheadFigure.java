package io.eldr.simulator.report;

import static io.eldr.simulator.report.Readings.number;
import static io.eldr.simulator.report.Table.number;
import static io.eldr.simulator.report.Table.text;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.calibration.CalibrationReport;
import io.eldr.core.calibration.MaskChoice;
import io.eldr.core.load.Incarnation;
import io.eldr.core.load.LoadView;
import io.eldr.core.routing.ActiveArtifact;
import io.eldr.core.routing.BandRule;
import io.eldr.core.routing.Decision;
import io.eldr.core.routing.DecisionRequest;
import io.eldr.core.routing.Decoder;
import io.eldr.core.routing.PolicyName;
import io.eldr.core.routing.PoolSnapshot;
import io.eldr.core.routing.RoutingPolicy;
import io.eldr.core.trace.RequestSample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** What routing costs on this machine, beside the authors' table 1. */
final class OverheadFigure {
    private static final int WARM_UP = 20_000;
    private static final int MEASURED = 20_000;
    private static final double MILLIS = 1e6;
    private static final double AUTHORS_DECISION_MILLIS = 0.15;

    private final Bench bench;

    OverheadFigure(Bench bench) {
        this.bench = bench;
    }

    Section overhead(List<TraceSet> sets, List<String> absent) {
        List<Panel> panels = new ArrayList<>();
        for (TraceSet set : sets) {
            panels.add(panel(set));
        }
        return new Section(
                "overhead",
                "What routing costs (Table 1)",
                "Timed in this process with its clock, while other figures are not running: signature, similarities, band and"
                        + " choice of 20,000 decisions one after another, after as many to warm up; no HTTP, no engine."
                        + " ./eldr bench route times it over HTTP. Sizes of models differ from the authors' 48 x 128.",
                "Python, 48 x 128: decision 0.15 ms, fetch by the scheduler 0.007 ms, all overhead 0.86 ms a request; fit"
                        + " below 10 s; signature 12 KiB",
                panels,
                absent,
                "",
                false);
    }

    private Panel panel(TraceSet set) {
        RoutingArtifact artifact = bench.calibration(set, new MaskChoice.Auto()).artifact();
        CalibrationReport.Times times =
                bench.calibration(set, new MaskChoice.Auto()).report().times();
        long[] decisions = decisions(artifact, set.samples());
        double median = decisions[decisions.length / 2] / MILLIS;
        double tail = decisions[decisions.length * 99 / 100] / MILLIS;
        double bytes = set.trace().geometry().cells() * 2.0 / 1024;
        double fit = times.total().toNanos() / MILLIS;
        Table.Builder table = Table.with(
                text("stage", "stage"),
                number("ours", "ours", 4),
                number("authors", "authors", 3),
                text("unit", "unit"));
        table.row("decision, P50", median, AUTHORS_DECISION_MILLIS, "ms");
        table.row("decision, P99", tail, Double.NaN, "ms");
        table.row("fit: representation and mask", times.mask().toNanos() / MILLIS, Double.NaN, "ms");
        table.row("fit: clusters", times.cluster().toNanos() / MILLIS, Double.NaN, "ms");
        table.row("fit, all", fit, 10_000, "ms");
        table.row("signature on the wire", bytes, 12, "KiB");
        return new Panel(
                set.name() + ", K = " + set.decoders(),
                Chart.bars("stage", List.of("ours", "authors"), "stage", "ms or KiB, logarithmic"),
                table.build(),
                "A decision takes " + number(median * 1e3, 1) + " us at the median and " + number(tail * 1e3, 1)
                        + " us at P99, " + number(AUTHORS_DECISION_MILLIS / median, 0)
                        + " times less than the authors' Python on a larger model; a fit on "
                        + set.samples().size()
                        + " requests " + number(fit / 1e3, 2) + " s.");
    }

    /** Nanoseconds of decisions, ascending. */
    private static long[] decisions(RoutingArtifact artifact, List<RequestSample> samples) {
        List<Decoder> decoders = artifact.slots().stream()
                .map(slot -> Decoder.of(new Incarnation(slot, "measured"), ""))
                .toList();
        PoolSnapshot snapshot = PoolSnapshot.of(
                artifact.model().name(),
                1,
                Optional.of(ActiveArtifact.of(1, artifact, artifact.slots())),
                decoders,
                new BandRule(artifact.recommendedTau(), BandRule.defaultMinCandidates(decoders.size())),
                false);
        LoadView loads = LoadView.fixed(new int[decoders.size()]);
        RoutingPolicy policy = PolicyName.ELDR.create();
        SplittableRandom random = new SplittableRandom(1);
        long[] nanos = new long[MEASURED];
        for (int i = -WARM_UP; i < MEASURED; i++) {
            RequestSample sample = samples.get(Math.floorMod(i, samples.size()));
            long start = System.nanoTime();
            Decision decision = policy.decide(DecisionRequest.of(sample.prefill()), snapshot, loads, random);
            long end = System.nanoTime();
            if (!(decision instanceof Decision.Chosen)) {
                throw new IllegalStateException("a decoder without limit took no request: " + decision);
            }
            nanos[Math.max(0, i)] = end - start;
        }
        Arrays.sort(nanos);
        return nanos;
    }
}
