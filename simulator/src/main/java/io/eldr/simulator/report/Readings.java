package io.eldr.simulator.report;

import io.eldr.simulator.cluster.RunFigures;
import io.eldr.simulator.study.Interval;
import io.eldr.simulator.study.PolicyRun;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Words for numbers. */
final class Readings {
    private Readings() {}

    static String pct(double value) {
        return String.format(Locale.ROOT, "%+.1f %%", value);
    }

    static String number(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    static String number(OptionalDouble value, int digits) {
        return value.isPresent() ? number(value.getAsDouble(), digits) : "undefined";
    }

    static OptionalDouble mean(PolicyRun run, Function<PolicyRun.Comparison, Interval> change) {
        return run.vsRoundRobin()
                .map(found -> OptionalDouble.of(change.apply(found).mean()))
                .orElse(OptionalDouble.empty());
    }

    static OptionalDouble low(PolicyRun run, Function<PolicyRun.Comparison, Interval> change) {
        return run.vsRoundRobin().map(found -> change.apply(found).low()).orElse(OptionalDouble.empty());
    }

    static OptionalDouble high(PolicyRun run, Function<PolicyRun.Comparison, Interval> change) {
        return run.vsRoundRobin().map(found -> change.apply(found).high()).orElse(OptionalDouble.empty());
    }

    /** A change against round robin, in words. */
    static String said(PolicyRun run, Function<PolicyRun.Comparison, Interval> change) {
        OptionalDouble found = mean(run, change);
        return found.isPresent() ? pct(found.getAsDouble()) : "unstable";
    }

    /** A figure's mean over seeds; empty where the run is unstable. */
    static OptionalDouble average(PolicyRun run, ToDoubleFunction<RunFigures> figure) {
        return run.unstable().isPresent()
                ? OptionalDouble.empty()
                : OptionalDouble.of(run.over(figure).mean());
    }

    /** The mean p50 of TPOT; empty where the run is unstable. */
    static OptionalDouble tpot(PolicyRun run) {
        return average(run, figures -> figures.tpotMs().p50());
    }

    static OptionalDouble tpot99(PolicyRun run) {
        return average(run, figures -> figures.tpotMs().p99());
    }
}
