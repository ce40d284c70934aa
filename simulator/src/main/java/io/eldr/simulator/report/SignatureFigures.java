package io.eldr.simulator.report;

import static io.eldr.simulator.report.Readings.number;
import static io.eldr.simulator.report.Table.number;
import static io.eldr.simulator.report.Table.text;

import io.eldr.core.calibration.CalibrationReport;
import io.eldr.core.calibration.MaskChoice;
import io.eldr.core.signature.Representation;
import io.eldr.core.trace.GatingValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** How well signatures foretell decoding, before any router runs: figures 7 and 8. */
final class SignatureFigures {
    private static final CalibrationReport.RhoFigures UNKNOWN =
            new CalibrationReport.RhoFigures(OptionalDouble.empty(), OptionalDouble.empty());

    private final Bench bench;

    SignatureFigures(Bench bench) {
        this.bench = bench;
    }

    Section rho(List<TraceSet> sets, List<String> absent) {
        List<Panel> panels = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (TraceSet set : sets) {
            CalibrationReport all = bench.calibration(set, new MaskChoice.All()).report();
            CalibrationReport masked =
                    bench.calibration(set, new MaskChoice.Auto()).report();
            Table.Builder table = Table.with(
                    text("representation", "representation"),
                    number("fitAll", "rho, fitted, all layers", 3),
                    number("heldOutAll", "rho, held out, all layers", 3),
                    number("fitMasked", "rho, fitted, masked", 3),
                    number("heldOutMasked", "rho, held out, masked", 3));
            for (Representation representation : Representation.values()) {
                row(table, representation.id(), figures(all, representation), figures(masked, representation));
            }
            Map<GatingValue, CalibrationReport.RhoFigures> gatingMasked = bench.gating(set, new MaskChoice.Auto());
            bench.gating(set, new MaskChoice.All()).forEach((value, figures) -> {
                row(table, value.id(), figures, gatingMasked.getOrDefault(value, UNKNOWN));
            });
            Representation best = Arrays.stream(Representation.values())
                    .max(Comparator.comparingDouble(
                            tried -> figures(all, tried).heldOut().orElse(-2)))
                    .orElseThrow();
            if (best != Representation.COUNT_IDF) {
                others.add(best.id() + " on " + set.name());
            }
            panels.add(new Panel(
                    set.name(),
                    Chart.bars(
                            "representation",
                            List.of("heldOutAll", "heldOutMasked"),
                            "representation",
                            "rho, held out"),
                    table.build(),
                    "With all layers " + best.id() + " has the highest held-out rho, "
                            + number(figures(all, best).heldOut(), 3) + "; calibration, which chooses by rho with each"
                            + " representation's own mask on other requests, took "
                            + masked.representation().id() + "."));
        }
        return new Section(
                "rho",
                "Rho by representation (Fig. 7)",
                "Spearman's correlation between the cosine distances of signatures and those of decode counts, over"
                        + " 30,000 random pairs; a fifth of the requests is held out. gate_prob and gate_logit, the sums of"
                        + " the gating network's softmax and logits over the prompt, are there where a trace has them,"
                        + " for comparison: no artifact is fitted on them.",
                "values " + Section.NOT_PUBLISHED + "; count_idf has the highest rho in the paper",
                panels,
                absent,
                others.isEmpty()
                        ? ""
                        : "The paper's best is count_idf; here it is " + String.join(", ", others)
                                + ". IDF raises rare experts, which short prompts meet by chance; plain counts weigh"
                                + " most what a prompt uses most.",
                true);
    }

    private static void row(
            Table.Builder table,
            String representation,
            CalibrationReport.RhoFigures all,
            CalibrationReport.RhoFigures masked) {
        table.row(representation, all.fit(), all.heldOut(), masked.fit(), masked.heldOut());
    }

    private static CalibrationReport.RhoFigures figures(CalibrationReport report, Representation representation) {
        return report.rho().getOrDefault(representation, UNKNOWN);
    }

    Section mask(List<TraceSet> sets, List<String> absent) {
        List<Panel> panels = new ArrayList<>();
        List<String> overfitted = new ArrayList<>();
        for (TraceSet set : sets) {
            CalibrationReport all = bench.calibration(set, new MaskChoice.All()).report();
            CalibrationReport masked =
                    bench.calibration(set, new MaskChoice.Auto()).report();
            Table.Builder table = Table.with(
                    number("layers", "layers in the mask", 0),
                    number("added", "layer added", 0),
                    number("rho", "rho on the selection requests", 3));
            for (int i = 0; i < masked.maskCurve().size(); i++) {
                table.row(i + 1, masked.maskOrder().get(i), masked.maskCurve().get(i));
            }
            Representation chosen = masked.representation();
            OptionalDouble with = figures(masked, chosen).heldOut();
            OptionalDouble without = figures(all, chosen).heldOut();
            boolean worse = with.orElse(0) < without.orElse(0);
            if (worse) {
                overfitted.add(set.name());
            }
            panels.add(new Panel(
                    set.name() + ", " + chosen.id(),
                    Chart.lines("layers", "rho", "", "layers in the mask, in greedy order", "rho"),
                    table.build(),
                    masked.mask().size() + " of " + set.trace().geometry().layers()
                            + " layers are kept: " + layers(masked) + ". On requests never used before, rho is "
                            + number(with, 3) + " with the mask and " + number(without, 3) + " with all layers"
                            + (worse ? ": here the mask over-fits." : ".")));
        }
        return new Section(
                "mask",
                "Mask curve (Fig. 8)",
                "Forward greedy search: at each step the layer that gives the highest rho is added. The order comes"
                        + " from the fitted requests, the curve and its maximum from others, the last figure from a"
                        + " third part.",
                Section.NOT_PUBLISHED + "; in the paper rho rises to a maximum at part of the layers and falls slowly",
                panels,
                absent,
                overfitted.isEmpty()
                        ? ""
                        : "The mask does not hold on requests never used before on " + String.join(", ", overfitted)
                                + ": with few requests the maximum of a curve is partly chance.",
                true);
    }

    private static String layers(CalibrationReport report) {
        return Arrays.stream(report.mask().toArray())
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", "));
    }
}
