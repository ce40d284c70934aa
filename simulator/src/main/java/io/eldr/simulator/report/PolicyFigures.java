package io.eldr.simulator.report;

import static io.eldr.simulator.report.Readings.mean;
import static io.eldr.simulator.report.Readings.number;
import static io.eldr.simulator.report.Readings.pct;
import static io.eldr.simulator.report.Readings.said;
import static io.eldr.simulator.report.Table.text;

import io.eldr.core.routing.PolicyName;
import io.eldr.simulator.cluster.RunFigures;
import io.eldr.simulator.study.PolicyRun;
import io.eldr.simulator.study.TauChoice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** What policies do to simulated decoding: figures 11 and 16 and table 2. */
final class PolicyFigures {
    private static final String SIMULATED =
            "Simulated: an artifact fitted on half of the requests, the others served; each seed another split, fit and"
                    + " draw. Intervals are 95 % over seeds, paired with round robin on the same requests.";
    private static final List<PolicyName> ALL = List.of(
            PolicyName.RANDOM,
            PolicyName.ROUND_ROBIN,
            PolicyName.JSQ,
            PolicyName.P2C,
            PolicyName.DOMAIN,
            PolicyName.ELDR,
            PolicyName.UNION);
    private static final List<PolicyName> BALANCERS =
            List.of(PolicyName.RANDOM, PolicyName.ROUND_ROBIN, PolicyName.JSQ, PolicyName.P2C);

    private final Bench bench;

    PolicyFigures(Bench bench) {
        this.bench = bench;
    }

    Section tau(List<TraceSet> sets, List<String> absent) {
        List<Panel> panels = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (TraceSet set : sets) {
            List<TauChoice> taus = new ArrayList<>();
            bench.plan().taus().forEach(tau -> taus.add(TauChoice.of(tau)));
            taus.add(TauChoice.AUTO);
            List<PolicyRun> runs = bench.run(
                    bench.studyPlan(
                            set,
                            List.of(PolicyName.ELDR),
                            taus,
                            List.of(set.decoders()),
                            List.of(Bench.rate(set, ReportPlan.RATE)),
                            Bench.cluster(set, set.decoders())),
                    bench.cases(set));
            RunTable table = RunTable.by(text("choice", "tau"))
                    .figure("tau", "tau, mean over seeds", 3, PolicyRun::tau)
                    .p50()
                    .p99()
                    .figure("band", "decoders in the band", 2, run -> average(run, RunFigures::meanBand))
                    .figure("spill", "share not sent to the nearest", 3, run -> average(run, RunFigures::spill));
            runs.forEach(run ->
                    table.add(run, run.tauChoice().map(TauChoice::toString).orElse("")));
            Optional<PolicyRun> best = best(runs);
            if (best.isPresent() && Math.abs(best.get().tau().orElse(0) - 0.1) > 0.05) {
                others.add(set.name() + " (" + number(best.get().tau(), 3) + ")");
            }
            PolicyRun auto = runs.getLast();
            panels.add(new Panel(
                    title(set, ReportPlan.RATE),
                    new Chart(
                            Chart.Kind.BAR,
                            "choice",
                            List.of("p50", "p99"),
                            "",
                            "tau (auto: what the artifact recommends)",
                            "TPOT against round robin, %"),
                    table.build(),
                    best.map(found -> "P50 is lowest at tau " + number(found.tau(), 3) + " ("
                                    + pct(mean(found, PolicyRun.Comparison::p50).orElse(0))
                                    + "); auto took " + number(auto.tau(), 3) + " ("
                                    + said(auto, PolicyRun.Comparison::p50) + ").")
                            .orElse("No run was stable.")));
        }
        return new Section(
                "tau",
                "Width of the band (Fig. 16)",
                SIMULATED + " tau = 0 takes the nearest only; a wide band is JSQ.",
                "60 req/s on 8P16D, P50 / P99 against RR: Qwen3-30B task 0: -15.3/-5.6 %, 0.1: -15.2/-6.3 %,"
                        + " 0.2: -14.4/-5.9 %, 0.3: -13.9/-5.3 %; GPT-OSS-120B task 0: -15.0/+0.3 %,"
                        + " 0.1: -17.8/-2.4 %; Qwen3 language 0: -12.8/-4.3 %, 0.1: -10.4/-3.2 %; GPT-OSS language"
                        + " 0: -5.3/+9.2 %, 0.1: -6.8/+5.6 %",
                panels,
                absent,
                others.isEmpty()
                        ? ""
                        : "The authors' 0.1 is not the best on " + String.join(", ", others)
                                + ": how far similarities of centroids lie apart depends on representation and data,"
                                + " which is why tau is recommended by the artifact.",
                true);
    }

    Section rates(List<TraceSet> sets, List<String> absent) {
        List<Panel> panels = new ArrayList<>();
        List<String> worse = new ArrayList<>();
        for (TraceSet set : sets) {
            List<PolicyRun> runs = bench.run(
                    bench.studyPlan(
                            set,
                            ALL,
                            List.of(TauChoice.AUTO),
                            List.of(set.decoders()),
                            bench.plan().rates().stream()
                                    .map(rate -> Bench.rate(set, rate))
                                    .toList(),
                            Bench.cluster(set, set.decoders())),
                    bench.cases(set));
            RunTable table = RunTable.by()
                    .policy()
                    .figure("rate", "requests a second", 1, run -> OptionalDouble.of(run.rate()))
                    .tpot()
                    .figure("tpot99", "P99 TPOT, ms", 2, Readings::tpot99)
                    .p50()
                    .p99Alone()
                    .union()
                    .average("load", "max/mean load", 2, RunFigures::maxOverMeanLoad);
            runs.forEach(table::add);
            Map<PolicyName, Double> change = overRates(runs, Readings::tpot);
            Map<PolicyName, Double> tail = overRates(runs, Readings::tpot99);
            if (tail.getOrDefault(PolicyName.ELDR, 0.0) > 0) {
                worse.add(set.name() + " (" + pct(tail.getOrDefault(PolicyName.ELDR, 0.0)) + worst(runs) + ")");
            }
            long unstable =
                    runs.stream().filter(run -> run.unstable().isPresent()).count();
            panels.add(new Panel(
                    set.name() + ", " + set.decoders() / 2 + "P" + set.decoders() + "D",
                    Chart.lines("rate", "tpot", "policy", "requests a second", "P50 TPOT, ms"),
                    table.build(),
                    "Against the best load balancer at each rate, mean over rates, P50 and P99: "
                            + say(PolicyName.ELDR, change, tail) + ", " + say(PolicyName.UNION, change, tail) + ", "
                            + say(PolicyName.DOMAIN, change, tail) + " (which is told the labels)."
                            + (unstable == 0 ? "" : " " + unstable + " runs were unstable and have no number.")));
        }
        return new Section(
                "rates",
                "TPOT against rate, all policies (Fig. 11)",
                SIMULATED
                        + " eldr runs at the tau that its artifact recommends. Rates of sets with 8 decoders are halved.",
                "mean over 20 to 100 req/s, ELDR's P50 against the best of RR, random, JSQ and P2C: -12.2 %"
                        + " (Qwen3-30B task), -14.5 % (GPT-OSS-120B), -8.1 % (Gemma-4-26B); against oracle labels -1.9,"
                        + " -4.6 and -1.4 %; P99 -5.6, -3.2 and -3.2 %; union is ours",
                panels,
                absent,
                worse.isEmpty()
                        ? ""
                        : "The authors' tail falls, eldr's P99 rises on " + String.join(", ", worse)
                                + ". The band levels load among a few decoders only: where these are busier than the"
                                + " others, their longer batches cost more than common experts save.",
                true);
    }

    /** At which rate eldr's P99 is worst against round robin. */
    private static String worst(List<PolicyRun> runs) {
        return runs.stream()
                .filter(run -> run.policy() == PolicyName.ELDR
                        && mean(run, PolicyRun.Comparison::p99).isPresent())
                .max(Comparator.comparingDouble(
                        run -> mean(run, PolicyRun.Comparison::p99).orElse(0)))
                .map(run -> ", worst at " + number(run.rate(), 0) + " req/s with "
                        + pct(mean(run, PolicyRun.Comparison::p99).orElse(0)) + " against RR")
                .orElse("");
    }

    private static String say(PolicyName policy, Map<PolicyName, Double> change, Map<PolicyName, Double> tail) {
        return policy.id() + " "
                + (change.containsKey(policy)
                        ? pct(change.getOrDefault(policy, 0.0)) + " and " + pct(tail.getOrDefault(policy, 0.0))
                        : "unstable");
    }

    /** Each policy's change against the best load balancer of the same rate, mean over the rates where both are stable. */
    private static Map<PolicyName, Double> overRates(List<PolicyRun> runs, RunFigure figure) {
        Map<PolicyName, Double> changes = new EnumMap<>(PolicyName.class);
        for (PolicyName policy : ALL) {
            OptionalDouble mean = runs.stream()
                    .filter(run -> run.policy() == policy && figure.of(run).isPresent())
                    .flatMapToDouble(run -> runs.stream()
                            .filter(other -> other.rate() == run.rate() && BALANCERS.contains(other.policy()))
                            .flatMapToDouble(other -> figure.of(other).stream())
                            .min()
                            .stream()
                            .map(base -> 100 * (figure.of(run).getAsDouble() / base - 1)))
                    .average();
            mean.ifPresent(value -> changes.put(policy, value));
        }
        return changes;
    }

    @FunctionalInterface
    private interface RunFigure {
        OptionalDouble of(PolicyRun run);
    }

    Section pool(List<TraceSet> sets, List<String> absent) {
        List<Panel> panels = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (TraceSet set : sets) {
            List<Integer> sizes = List.of(set.decoders() / 2, set.decoders(), set.decoders() * 3 / 2);
            RunTable table = RunTable.by()
                    .policy()
                    .figure("decoders", "decoders", 0, run -> OptionalDouble.of(run.decoders()))
                    .tpot()
                    .p50()
                    .p99Alone()
                    .union();
            List<PolicyRun> runs = bench.run(
                    bench.studyPlan(
                            set,
                            List.of(PolicyName.ROUND_ROBIN, PolicyName.ELDR, PolicyName.UNION),
                            List.of(TauChoice.AUTO),
                            sizes,
                            List.of(Bench.rate(set, ReportPlan.RATE)),
                            Bench.cluster(set, set.decoders())),
                    bench.cases(set));
            List<Double> gains = new ArrayList<>();
            StringBuilder reading = new StringBuilder("eldr's P50 against RR: ");
            for (PolicyRun run : runs) {
                table.add(run);
                if (run.policy() == PolicyName.ELDR) {
                    double change = mean(run, PolicyRun.Comparison::p50).orElse(Double.NaN);
                    gains.add(change);
                    reading.append(gains.size() == 1 ? "" : ", ")
                            .append(run.decoders())
                            .append("D ")
                            .append(Double.isNaN(change) ? "unstable" : pct(change));
                }
            }
            if (gains.getFirst() < gains.getLast()) {
                others.add(set.name());
            }
            panels.add(new Panel(
                    title(set, ReportPlan.RATE),
                    Chart.lines("decoders", "p50", "policy", "decoders", "P50 TPOT against round robin, %"),
                    table.build(),
                    reading.append('.').toString()));
        }
        return new Section(
                "pool",
                "Size of the decoder pool (Table 2)",
                SIMULATED + " The rate and the prefill workers stay, so more decoders have smaller batches.",
                "P50 against RR at 8P8D -8.0 %, 8P16D -9.8 %, 8P24D -10.2 %",
                panels,
                absent,
                others.isEmpty()
                        ? ""
                        : "The authors gain more with more decoders; here fewer gain more on "
                                + String.join(", ", others)
                                + ": a batch of few requests has little in common to save, and at the same rate more"
                                + " decoders have smaller batches.",
                true);
    }

    static String title(TraceSet set, double rate) {
        return set.name() + ", " + set.decoders() / 2 + "P" + set.decoders() + "D, " + number(Bench.rate(set, rate), 0)
                + " req/s";
    }

    private static Optional<PolicyRun> best(List<PolicyRun> runs) {
        return runs.stream()
                .filter(run -> mean(run, PolicyRun.Comparison::p50).isPresent())
                .min(Comparator.comparingDouble(
                        run -> mean(run, PolicyRun.Comparison::p50).getAsDouble()));
    }

    @FunctionalInterface
    private interface OptionalFigure {
        OptionalDouble of(RunFigures figures);
    }

    private static OptionalDouble average(PolicyRun run, OptionalFigure figure) {
        return run.bySeed().stream()
                .map(figure::of)
                .flatMapToDouble(OptionalDouble::stream)
                .average();
    }
}
