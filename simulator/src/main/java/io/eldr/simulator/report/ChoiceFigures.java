package io.eldr.simulator.report;

import static io.eldr.simulator.report.Readings.mean;
import static io.eldr.simulator.report.Readings.pct;
import static io.eldr.simulator.report.Readings.said;
import static io.eldr.simulator.report.Table.text;

import io.eldr.core.artifact.Evidence;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.clustering.Centroids;
import io.eldr.core.routing.PolicyName;
import io.eldr.core.trace.ArrivalTrace;
import io.eldr.core.trace.RequestSample;
import io.eldr.simulator.cluster.ClusterSettings;
import io.eldr.simulator.cluster.RunFigures;
import io.eldr.simulator.study.PolicyRun;
import io.eldr.simulator.study.SeededSplit;
import io.eldr.simulator.study.StudyCase;
import io.eldr.simulator.study.StudyCases;
import io.eldr.simulator.study.StudyPlan;
import io.eldr.simulator.study.TauChoice;
import io.eldr.simulator.workload.Arrivals;
import io.eldr.simulator.workload.Mix;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** What hangs on single choices and assumptions: figure 15, the prefix cache, t0, c and U. */
final class ChoiceFigures {
    private static final long CACHE_TOKENS = 2_000_000;

    private final Bench bench;

    ChoiceFigures(Bench bench) {
        this.bench = bench;
    }

    Section kMeans(List<TraceSet> sets, List<String> absent) {
        List<Panel> panels = new ArrayList<>();
        List<String> plainBetter = new ArrayList<>();
        for (TraceSet set : sets) {
            RunTable table = RunTable.by(text("clusters", "K-means"))
                    .p50()
                    .p99()
                    .average("hottest", "share of the busiest decoder, x fair", 2, ChoiceFigures::hottest);
            PolicyRun balanced = eldr(set, bench.cases(set));
            PolicyRun plain = eldr(set, plain(set));
            table.add(balanced, "balanced");
            table.add(plain, "plain");
            double difference = mean(plain, PolicyRun.Comparison::p50).orElse(Double.NaN)
                    - mean(balanced, PolicyRun.Comparison::p50).orElse(Double.NaN);
            if (difference < 0) {
                plainBetter.add(set.name());
            }
            panels.add(new Panel(
                    PolicyFigures.title(set, ReportPlan.RATE),
                    Chart.bars("clusters", List.of("p50", "p99"), "K-means", "TPOT against round robin, %"),
                    table.build(),
                    "Balanced P50 " + said(balanced, PolicyRun.Comparison::p50) + " and P99 "
                            + said(balanced, PolicyRun.Comparison::p99) + ", plain "
                            + said(plain, PolicyRun.Comparison::p50) + " and " + said(plain, PolicyRun.Comparison::p99)
                            + "."));
        }
        return new Section(
                "kmeans",
                "Balanced and plain K-means (Fig. 15)",
                "The same signatures and the same tau, which is what the balanced artifact recommends; plain K-means has no"
                        + " capacity and one start.",
                "P50/P99 against RR, balanced and plain: Qwen3-30B task -15.8/-7.1 % and -17.6/-7.7 %; GPT-OSS-120B task"
                        + " -17.3/-7.0 % and -4.6/-2.2 %; GPT-OSS language -7.2/+5.0 % and +2.7/+25.7 %",
                panels,
                absent,
                plainBetter.isEmpty()
                        ? ""
                        : "Plain is better at the median on " + String.join(", ", plainBetter)
                                + ", as on the authors' Qwen task and not as on their GPT-OSS: balance is insurance against"
                                + " large clusters, and costs where there are none.",
                true);
    }

    private static double hottest(RunFigures figures) {
        return figures.shares().size()
                * figures.shares().stream()
                        .mapToDouble(Double::doubleValue)
                        .max()
                        .orElse(0);
    }

    private PolicyRun eldr(TraceSet set, StudyCases cases) {
        return bench.run(
                        bench.studyPlan(
                                set,
                                List.of(PolicyName.ELDR),
                                List.of(TauChoice.AUTO),
                                List.of(set.decoders()),
                                List.of(Bench.rate(set, ReportPlan.RATE)),
                                Bench.cluster(set, set.decoders())),
                        cases)
                .getFirst();
    }

    /** The balanced cases with the centroids of plain K-means on the same fitted half. */
    private StudyCases plain(TraceSet set) {
        StudyCases balanced = bench.cases(set);
        return (decoders, seed) -> {
            StudyCase prepared = balanced.prepare(decoders, seed);
            RoutingArtifact artifact = prepared.artifact();
            List<float[]> rows = SeededSplit.of(set.samples(), Bench.FIT_SHARE, seed).fit().stream()
                    .map(RequestSample::prefill)
                    .map(counts -> artifact.spec().signatureOf(counts).toArray())
                    .toList();
            Centroids centroids = PlainKMeans.fit(rows, decoders, seed);
            return new StudyCase(
                    new RoutingArtifact(
                            artifact.model(),
                            artifact.spec(),
                            centroids,
                            artifact.slots(),
                            artifact.recommendedTau(),
                            Evidence.NONE),
                    prepared.served());
        };
    }

    /** @param prompts an arrival trace that knows its prompts' blocks; empty where there is none */
    Section prefixCache(List<TraceSet> sets, Optional<ArrivalTrace> prompts, List<String> absent) {
        List<Panel> panels = new ArrayList<>();
        List<String> lacking = new ArrayList<>(absent);
        if (prompts.isEmpty()) {
            lacking.add("an arrival trace with the blocks of its prompts: not there; give one with --arrivals");
        } else {
            sets.forEach(set -> panels.add(prefixCache(set, prompts.get())));
        }
        return new Section(
                "prefix",
                "Prefix cache on and off",
                "Arrivals and lengths of the trace at 15 req/s for 16 decoders; with the cache each prefill worker keeps "
                        + CACHE_TOKENS
                        + " tokens of prompts. Signatures stay those of whole prompts, as counts for each"
                        + " KV block make them.",
                Section.NOT_PUBLISHED,
                panels,
                lacking,
                "",
                true);
    }

    private Panel prefixCache(TraceSet set, ArrivalTrace prompts) {
        RunTable table = RunTable.by(text("cache", "prefix cache"))
                .policy()
                .average("ttft", "P50 TTFT, ms", 1, figures -> figures.ttftMs().p50())
                .tpot()
                .p50Alone()
                .p99Alone();
        StringBuilder reading = new StringBuilder();
        for (boolean cached : new boolean[] {false, true}) {
            ClusterSettings plain = Bench.cluster(set, set.decoders());
            ClusterSettings cluster = new ClusterSettings(
                    plain.prefillers(),
                    plain.decoders(),
                    plain.model(),
                    plain.ranks(),
                    plain.placed(),
                    plain.routers(),
                    plain.scrapeSeconds(),
                    plain.exchanging(),
                    cached ? CACHE_TOKENS : 0,
                    plain.changes());
            double rate = Bench.rate(set, 15);
            StudyPlan study = new StudyPlan(
                    List.of(PolicyName.ROUND_ROBIN, PolicyName.ELDR, PolicyName.UNION),
                    List.of(TauChoice.AUTO),
                    List.of(set.decoders()),
                    List.of(rate),
                    cluster,
                    new Arrivals.Recorded("recorded", prompts, OptionalDouble.of(rate)),
                    new Mix.Recorded(),
                    Optional.empty(),
                    bench.plan().requests(),
                    bench.plan().seeds(),
                    bench.plan().seed());
            for (PolicyRun run : bench.run(study, bench.cases(set))) {
                table.add(run, cached ? "on" : "off");
                if (run.policy() == PolicyName.ELDR) {
                    reading.append("Cache ")
                            .append(cached ? "on" : "off")
                            .append(": eldr's P50 TPOT ")
                            .append(said(run, PolicyRun.Comparison::p50))
                            .append(" against RR. ");
                }
            }
        }
        return new Panel(
                set.name(),
                Chart.lines("cache", "ttft", "policy", "prefix cache", "P50 TTFT, ms"),
                table.build(),
                reading.toString().strip());
    }

    Section constants(List<TraceSet> sets, List<String> absent) {
        Map<String, double[]> factors = new LinkedHashMap<>();
        factors.put("as assumed", new double[] {1, 1, 1});
        factors.put("t0 x 0.5", new double[] {0.5, 1, 1});
        factors.put("t0 x 2", new double[] {2, 1, 1});
        factors.put("c x 0.5", new double[] {1, 0.5, 1});
        factors.put("c x 2", new double[] {1, 2, 1});
        factors.put("U x 0.5", new double[] {1, 1, 0.5});
        factors.put("U x 2", new double[] {1, 1, 2});
        List<Panel> panels = new ArrayList<>();
        for (TraceSet set : sets) {
            RunTable table = RunTable.by(text("constants", "constants"))
                    .policy()
                    .tpot()
                    .p50()
                    .p99Alone()
                    .union();
            List<Double> gains = new ArrayList<>();
            factors.forEach((name, factor) -> {
                ClusterSettings cluster = ClusterSettings.plain(
                        Math.max(1, set.decoders() / 2),
                        set.decoders(),
                        Bench.constants(set).withAssumptions(factor[0], factor[1], factor[2]));
                for (PolicyRun run : bench.run(
                        bench.studyPlan(
                                set,
                                List.of(PolicyName.ELDR, PolicyName.UNION),
                                List.of(TauChoice.AUTO),
                                List.of(set.decoders()),
                                List.of(Bench.rate(set, ReportPlan.RATE)),
                                cluster),
                        bench.cases(set))) {
                    table.add(run, name);
                    if (run.policy() == PolicyName.ELDR) {
                        mean(run, PolicyRun.Comparison::p50).ifPresent(gains::add);
                    }
                }
            });
            panels.add(new Panel(
                    PolicyFigures.title(set, ReportPlan.RATE),
                    new Chart(
                            Chart.Kind.BAR,
                            "constants",
                            List.of("p50"),
                            "policy",
                            "constants of the decoder model",
                            "P50 TPOT against round robin, %"),
                    table.build(),
                    gains.isEmpty()
                            ? "No run was stable."
                            : "eldr's P50 lies between "
                                    + pct(gains.stream()
                                            .mapToDouble(x -> x)
                                            .min()
                                            .orElse(0)) + " and "
                                    + pct(gains.stream()
                                            .mapToDouble(x -> x)
                                            .max()
                                            .orElse(0)) + "."));
        }
        return new Section(
                "constants",
                "What hangs on the model's assumptions",
                "t0 (a step outside the MoE layers, 3 ms), c (each token of context, 0.031 us) and U (90 distinct experts a"
                        + " layer in the authors' measured step) at half and twice what the decoder model assumes. The price"
                        + " of an expert is a = 19.1 ms / (48 x U), and what a layer costs besides is counted in a: half of U"
                        + " makes MoE layers twice as dear, twice U half as dear. More than 128 experts there cannot be:"
                        + " U x 2 stands for weights that stream at 80 % of the peak bandwidth instead of 40 %. Unions"
                        + " themselves are as the simulated batches make them.",
                Section.NOT_PUBLISHED,
                panels,
                absent,
                "",
                true);
    }
}
