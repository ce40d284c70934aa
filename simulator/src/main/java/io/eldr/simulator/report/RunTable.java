package io.eldr.simulator.report;

import io.eldr.simulator.cluster.RunFigures;
import io.eldr.simulator.study.Interval;
import io.eldr.simulator.study.PolicyRun;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** A table with a row for each simulated run: what tells the rows apart, and then figures that are taken from the run. */
final class RunTable {
    private final List<Table.Column> columns;
    private final List<Function<PolicyRun, Object>> figures = new ArrayList<>();
    private final List<Object[]> rows = new ArrayList<>();

    private RunTable(List<Table.Column> labels) {
        this.columns = new ArrayList<>(labels);
    }

    /** @param labels of the columns whose cells are given with each run */
    static RunTable by(Table.Column... labels) {
        return new RunTable(List.of(labels));
    }

    RunTable policy() {
        return with(Table.text("policy", "policy"), run -> run.policy().id());
    }

    /** A figure of the run as a whole; may be undefined. */
    RunTable figure(String key, String title, int digits, Function<PolicyRun, OptionalDouble> figure) {
        return with(Table.number(key, title, digits), figure::apply);
    }

    /** The mean over seeds, where the run is stable. */
    RunTable average(String key, String title, int digits, ToDoubleFunction<RunFigures> figure) {
        return figure(key, title, digits, run -> Readings.average(run, figure));
    }

    /** P50 of the time for each token. */
    RunTable tpot() {
        return figure("tpot", "P50 TPOT, ms", 2, Readings::tpot);
    }

    RunTable union() {
        return average("union", "distinct experts a layer", 2, RunFigures::meanUnion);
    }

    /** The change of P50 against round robin, with its interval. */
    RunTable p50() {
        return p50Alone()
                .figure("p50Low", "", 1, run -> Readings.low(run, PolicyRun.Comparison::p50))
                .figure("p50High", "", 1, run -> Readings.high(run, PolicyRun.Comparison::p50));
    }

    /** The same without its interval. */
    RunTable p50Alone() {
        return change("p50", "P50 TPOT against RR, %", PolicyRun.Comparison::p50);
    }

    /** The change of P99 against round robin, with its interval. */
    RunTable p99() {
        return p99Alone()
                .figure("p99Low", "", 1, run -> Readings.low(run, PolicyRun.Comparison::p99))
                .figure("p99High", "", 1, run -> Readings.high(run, PolicyRun.Comparison::p99));
    }

    /** The same without its interval. */
    RunTable p99Alone() {
        return change("p99", "P99 TPOT against RR, %", PolicyRun.Comparison::p99);
    }

    private RunTable change(String key, String title, Function<PolicyRun.Comparison, Interval> change) {
        return figure(key, title, 1, run -> Readings.mean(run, change));
    }

    private RunTable with(Table.Column column, Function<PolicyRun, Object> figure) {
        columns.add(column);
        figures.add(figure);
        return this;
    }

    void add(PolicyRun run, Object... labels) {
        List<Object> cells = new ArrayList<>(List.of(labels));
        figures.forEach(figure -> cells.add(figure.apply(run)));
        rows.add(cells.toArray());
    }

    Table build() {
        Table.Builder table = Table.with(columns.toArray(Table.Column[]::new));
        rows.forEach(table::row);
        return table.build();
    }
}
