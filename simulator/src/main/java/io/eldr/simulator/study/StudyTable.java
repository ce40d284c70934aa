package io.eldr.simulator.study;

import io.eldr.simulator.cluster.RunFigures;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** Writes a study as a table for people: mean and half the width of the interval over seeds. */
final class StudyTable {
    private static final int[] WIDTHS = {12, 6, 4, 7, 15, 15, 15, 15, 13, 5, 6, 13, 11, 15, 15, 15};

    private StudyTable() {}

    static List<String> lines(StudyReport report) {
        List<String> lines = new ArrayList<>();
        lines.add(row(
                "policy",
                "rate/s",
                "K",
                "tau",
                "TPOT p50 ms",
                "p95 ms",
                "p99 ms",
                "TTFT p50 ms",
                "union",
                "band",
                "spill",
                "max/mean load",
                "share",
                "p50 vs RR %",
                "p99 vs RR %",
                "p50 vs best LB"));
        for (PolicyRun run : report.runs()) {
            lines.add(
                    run.unstable().isEmpty()
                            ? figures(run)
                            : row(
                                            run.policy().id(),
                                            number(run.rate(), 1),
                                            Integer.toString(run.decoders()),
                                            number(run.tau(), 3))
                                    + " unstable: " + run.unstable().get());
        }
        return lines;
    }

    private static String figures(PolicyRun run) {
        return row(
                run.policy().id(),
                number(run.rate(), 1),
                Integer.toString(run.decoders()),
                number(run.tau(), 3),
                figure(run, Comparisons::p50),
                figure(run, Comparisons::p95),
                figure(run, Comparisons::p99),
                figure(run, figures -> figures.ttftMs().p50()),
                figure(run, RunFigures::meanUnion),
                number(average(run, RunFigures::meanBand), 1),
                number(average(run, RunFigures::spill), 2),
                figure(run, RunFigures::maxOverMeanLoad),
                shares(run),
                run.vsRoundRobin().map(change -> interval(change.p50())).orElse("-"),
                run.vsRoundRobin().map(change -> interval(change.p99())).orElse("-"),
                run.vsBestLoadBalancer().map(change -> interval(change.p50())).orElse("-"));
    }

    private static String row(String... cells) {
        StringBuilder row = new StringBuilder();
        for (int i = 0; i < cells.length; i++) {
            String space = " ".repeat(Math.max(0, WIDTHS[i] - cells[i].length()));
            row.append(i == 0 ? cells[i] + space : " " + space + cells[i]);
        }
        return row.toString();
    }

    private static String figure(PolicyRun run, ToDoubleFunction<RunFigures> figure) {
        return interval(run.over(figure));
    }

    private static String interval(Interval interval) {
        String mean = number(interval.mean(), 2);
        return interval.high().isEmpty()
                ? mean
                : mean + " ±" + number(interval.high().getAsDouble() - interval.mean(), 2);
    }

    /** The coldest and the hottest decoder's. */
    private static String shares(PolicyRun run) {
        List<Double> all = run.bySeed().stream()
                .flatMap(figures -> figures.shares().stream())
                .toList();
        return number(Collections.min(all) * 100, 1) + "-" + number(Collections.max(all) * 100, 1) + "%";
    }

    private static OptionalDouble average(PolicyRun run, OptionalFigure figure) {
        return run.bySeed().stream()
                .map(figure::of)
                .flatMapToDouble(OptionalDouble::stream)
                .average();
    }

    @FunctionalInterface
    private interface OptionalFigure {
        OptionalDouble of(RunFigures figures);
    }

    private static String number(OptionalDouble value, int digits) {
        return Optional.of(value)
                .filter(OptionalDouble::isPresent)
                .map(present -> number(present.getAsDouble(), digits))
                .orElse("-");
    }

    private static String number(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
