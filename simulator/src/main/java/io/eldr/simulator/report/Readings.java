package io.eldr.simulator.report;

import io.eldr.simulator.study.Interval;
import io.eldr.simulator.study.PolicyRun;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;

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

    /** The mean p50 of TPOT; empty where the run is unstable. */
    static OptionalDouble tpot(PolicyRun run) {
        return run.unstable().isPresent()
                ? OptionalDouble.empty()
                : OptionalDouble.of(run.over(figures -> figures.tpotMs().p50()).mean());
    }

    static OptionalDouble tpot99(PolicyRun run) {
        return run.unstable().isPresent()
                ? OptionalDouble.empty()
                : OptionalDouble.of(run.over(figures -> figures.tpotMs().p99()).mean());
    }
}
