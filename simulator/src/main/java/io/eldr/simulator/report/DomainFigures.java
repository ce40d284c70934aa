package io.eldr.simulator.report;

import static io.eldr.simulator.report.Readings.number;
import static io.eldr.simulator.report.Readings.pct;
import static io.eldr.simulator.report.Table.number;
import static io.eldr.simulator.report.Table.text;

import io.eldr.core.calibration.MaskChoice;
import io.eldr.core.calibration.UnionReduction;
import io.eldr.core.quality.PrefillDecodeCorrelation;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.trace.RequestSample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** How requests of a domain use the experts: figures 3, 4 and 5. */
final class DomainFigures {
    private static final int[] BATCHES = {8, 12, 16, 32};
    private static final double LOW = 0.5;
    private static final double TASK_CHANGE = -17;

    private final Bench bench;

    DomainFigures(Bench bench) {
        this.bench = bench;
    }

    Section correlation(List<TraceSet> sets, List<String> absent) {
        List<Panel> panels = new ArrayList<>();
        List<String> low = new ArrayList<>();
        for (TraceSet set : sets) {
            List<RequestSample> decoded = decoded(set);
            panels.add(byExpert(set, decoded));
            panels.add(byDomain(set, decoded, low));
        }
        return new Section(
                "correlation",
                "Prefill and decode use the same experts (Fig. 3)",
                "Pearson's correlation between the share of each (layer, expert) in all prompts and in all answers; rho"
                        + " within a domain is Spearman's over pairs of its requests, plain counts, all layers.",
                "0.70 to 0.92",
                panels,
                absent,
                low.isEmpty()
                        ? ""
                        : "Below " + LOW + ": " + String.join(", ", low)
                                + ". There the answer's language or form is another one than the prompt's, so the"
                                + " prompt does not foretell it; the paper has no such domain.",
                true);
    }

    private Panel byExpert(TraceSet set, List<RequestSample> decoded) {
        Geometry geometry = set.trace().geometry();
        double[] prefill = shares(decoded.stream().map(RequestSample::prefill).toList(), geometry);
        double[] decode = shares(decodes(decoded), geometry);
        Table.Builder table = Table.with(
                number("layer", "layer", 0),
                number("expert", "expert", 0),
                number("prefill", "share in prompts, x uniform", 3),
                number("decode", "share in answers, x uniform", 3));
        int above = 0;
        for (int cell = 0; cell < prefill.length; cell++) {
            table.row(cell / geometry.experts(), cell % geometry.experts(), prefill[cell], decode[cell]);
            above += (prefill[cell] > 1) == (decode[cell] > 1) ? 1 : 0;
        }
        OptionalDouble correlation = pooled(decoded);
        return new Panel(
                set.name() + ", each expert",
                Chart.dots("prefill", "decode", "", "share in prompts, x uniform", "share in answers, x uniform"),
                table.build(),
                "Over " + prefill.length + " experts the correlation is " + number(correlation, 3) + "; "
                        + Math.round(100.0 * above / prefill.length)
                        + " % are on the same side of the uniform share in both phases.");
    }

    private Panel byDomain(TraceSet set, List<RequestSample> decoded, List<String> low) {
        Table.Builder table = Table.with(
                text("domain", "domain"),
                number("requests", "requests", 0),
                number("correlation", "prefill/decode correlation", 3),
                number("rho", "rho within the domain", 3));
        String worst = "";
        double lowest = Double.POSITIVE_INFINITY;
        double highest = Double.NEGATIVE_INFINITY;
        for (Map.Entry<String, List<RequestSample>> domain : byLabel(decoded).entrySet()) {
            OptionalDouble correlation = pooled(domain.getValue());
            table.row(
                    domain.getKey(),
                    domain.getValue().size(),
                    correlation,
                    DomainRho.of(
                            domain.getValue(),
                            set.trace().geometry(),
                            bench.plan().seed(),
                            bench.parallel()));
            double value = correlation.orElse(0);
            if (value < LOW) {
                low.add(set.name() + " " + domain.getKey() + " (" + number(value, 2) + ")");
            }
            if (value < lowest) {
                lowest = value;
                worst = domain.getKey();
            }
            highest = Math.max(highest, value);
        }
        return new Panel(
                set.name() + ", each domain",
                Chart.bars("domain", List.of("correlation"), "domain", "correlation"),
                table.build(),
                "From " + number(lowest, 2) + " (" + worst + ") to " + number(highest, 2) + ".");
    }

    Section union(List<TraceSet> sets, List<String> absent) {
        List<Panel> panels = new ArrayList<>();
        List<String> less = new ArrayList<>();
        for (TraceSet set : sets) {
            DomainUnions unions = new DomainUnions(set, bench.plan().seed());
            panels.add(batches(set, unions, less));
            panels.add(perDomain(set, unions));
        }
        return new Section(
                "union",
                "Distinct experts of a batch, one domain or mixed (Fig. 4)",
                "Batches of distinct requests, one decoded token each, dealt again and again. By cluster: the held-out"
                        + " requests nearest to the same centroid, from the calibration report.",
                "same-domain batches load 17 to 21 % fewer experts (task), 3 to 10 % (language)",
                panels,
                absent,
                less.isEmpty()
                        ? ""
                        : "Less than on the authors' task sets is saved on " + String.join(", ", less)
                                + ". The more of a layer's experts a batch touches whatever it holds, the less"
                                + " there is to save.",
                true);
    }

    private Panel batches(TraceSet set, DomainUnions unions, List<String> less) {
        Table.Builder table = Table.with(
                number("batch", "batch", 0),
                number("domain", "one domain, experts a layer", 2),
                number("mixed", "mixed, experts a layer", 2),
                number("domainPct", "change by domain, %", 1),
                number("clusterPct", "change by cluster, held out, %", 1));
        Optional<UnionReduction> reduction =
                bench.calibration(set, new MaskChoice.Auto()).report().unionReduction();
        String reading = "No domain has enough requests.";
        double last = 0;
        for (int batch : BATCHES) {
            OptionalDouble domain = unions.withinDomains(batch);
            if (domain.isEmpty()) {
                continue;
            }
            double mixed = unions.mixed(batch);
            double change = 100 * (domain.getAsDouble() / mixed - 1);
            OptionalDouble cluster = reduction.stream()
                    .flatMap(found -> found.batches().stream())
                    .filter(found -> found.batch() == batch)
                    .mapToDouble(found -> -found.reductionPct())
                    .findFirst();
            table.row(batch, domain.getAsDouble(), mixed, change, cluster);
            last = change;
            reading = "At a batch of " + batch + " one domain's requests load " + number(domain.getAsDouble(), 1)
                    + " experts a layer and mixed ones " + number(mixed, 1) + ": " + pct(change)
                    + (cluster.isPresent() ? "; batches by signature " + pct(cluster.getAsDouble()) : "") + ".";
        }
        if (last > TASK_CHANGE) {
            less.add(set.name() + " (" + pct(last) + ")");
        }
        return new Panel(
                set.name() + ", by batch",
                Chart.bars("batch", List.of("domain", "mixed"), "requests in the batch", "distinct experts a layer"),
                table.build(),
                reading);
    }

    private static Panel perDomain(TraceSet set, DomainUnions unions) {
        int batch = unions.largest(BATCHES);
        Table.Builder table = Table.with(
                text("domain", "domain"),
                number("union", "experts a layer in its batches", 2),
                number("changePct", "change against mixed, %", 1));
        double mixed = unions.mixed(batch);
        String best = "";
        String worst = "";
        double lowest = Double.POSITIVE_INFINITY;
        double highest = Double.NEGATIVE_INFINITY;
        for (Map.Entry<String, Double> domain : unions.each(batch).entrySet()) {
            double change = 100 * (domain.getValue() / mixed - 1);
            table.row(domain.getKey(), domain.getValue(), change);
            if (change < lowest) {
                lowest = change;
                best = domain.getKey();
            }
            if (change > highest) {
                highest = change;
                worst = domain.getKey();
            }
        }
        return new Panel(
                set.name() + ", each domain, batch " + batch,
                Chart.bars("domain", List.of("changePct"), "domain", "change of distinct experts, %"),
                table.build(),
                best.isEmpty()
                        ? "No domain has enough requests."
                        : "Most is saved in " + best + " (" + pct(lowest) + "), least in " + worst + " (" + pct(highest)
                                + ").");
    }

    /** @param sums of which only the popularity of experts is known */
    Section skew(List<TraceSet> sets, List<ExpertSums> sums, List<String> absent) {
        List<Panel> panels = new ArrayList<>();
        for (TraceSet set : sets) {
            Geometry geometry = set.trace().geometry();
            List<RequestSample> decoded = decoded(set);
            panels.add(skew(
                    set.name(),
                    ranked(
                            shares(
                                    set.samples().stream()
                                            .map(RequestSample::prefill)
                                            .toList(),
                                    geometry),
                            geometry.experts()),
                    decoded.isEmpty()
                            ? new double[0]
                            : ranked(shares(decodes(decoded), geometry), geometry.experts())));
        }
        for (ExpertSums each : sums) {
            double[] shares = shares(each.cells(), each.experts());
            panels.add(skew(each.name() + ", " + each.origin(), ranked(shares, each.experts()), new double[0]));
        }
        return new Section(
                "skew",
                "Popularity of experts (Fig. 5)",
                "Experts of each layer sorted by use, averaged over layers, over all requests. Of some models only sums over"
                        + " many texts are published.",
                Section.NOT_PUBLISHED,
                panels,
                absent,
                "",
                true);
    }

    private static Panel skew(String title, double[] prefill, double[] decode) {
        Table.Builder table = Table.with(
                number("rank", "rank of the expert in its layer", 0),
                number("prefill", "in prompts, x uniform", 3),
                number("decode", "in answers, x uniform", 3));
        for (int rank = 0; rank < prefill.length; rank++) {
            table.row(rank + 1, prefill[rank], decode.length == 0 ? Double.NaN : decode[rank]);
        }
        int experts = prefill.length;
        int tenth = Math.max(1, experts / 10);
        double top = Arrays.stream(prefill, 0, tenth).sum() * 100 / experts;
        return new Panel(
                title,
                new Chart(
                        Chart.Kind.LINE,
                        "rank",
                        List.of("prefill", "decode"),
                        "",
                        "rank of the expert in its layer",
                        "use, x uniform"),
                table.build(),
                "The " + tenth + " most used of " + experts + " experts of a layer take " + number(top, 1)
                        + " % of the prompts' choices; uniform would be " + number(100.0 * tenth / experts, 1) + " %.");
    }

    private static List<RequestSample> decoded(TraceSet set) {
        return set.samples().stream()
                .filter(sample -> sample.decode().isPresent())
                .toList();
    }

    private static List<ExpertCounts> decodes(List<RequestSample> samples) {
        return samples.stream().flatMap(sample -> sample.decode().stream()).toList();
    }

    private static OptionalDouble pooled(List<RequestSample> samples) {
        return PrefillDecodeCorrelation.pooled(
                samples.stream().map(RequestSample::prefill).toList(), decodes(samples));
    }

    static Map<String, List<RequestSample>> byLabel(List<RequestSample> samples) {
        Map<String, List<RequestSample>> labels = new TreeMap<>();
        for (RequestSample sample : samples) {
            labels.computeIfAbsent(sample.label(), _ -> new ArrayList<>()).add(sample);
        }
        return labels;
    }

    /** How often each expert is used, 1 where it is used as often as its layer's experts are on average. */
    private static double[] shares(List<ExpertCounts> requests, Geometry geometry) {
        double[] sums = new double[geometry.cells()];
        for (ExpertCounts counts : requests) {
            for (int cell = 0; cell < sums.length; cell++) {
                sums[cell] += counts.cell(cell);
            }
        }
        return shares(sums, geometry.experts());
    }

    private static double[] shares(double[] sums, int experts) {
        double[] shares = new double[sums.length];
        for (int layer = 0; layer < sums.length; layer += experts) {
            double uniform = Arrays.stream(sums, layer, layer + experts).sum() / experts;
            for (int cell = layer; cell < layer + experts; cell++) {
                shares[cell] = sums[cell] / uniform;
            }
        }
        return shares;
    }

    /** The mean over layers of each layer's shares, the largest first. */
    private static double[] ranked(double[] shares, int experts) {
        double[] mean = new double[experts];
        int layers = shares.length / experts;
        for (int layer = 0; layer < shares.length; layer += experts) {
            double[] own = Arrays.copyOfRange(shares, layer, layer + experts);
            Arrays.sort(own);
            for (int rank = 0; rank < experts; rank++) {
                mean[rank] += own[experts - 1 - rank] / layers;
            }
        }
        return mean;
    }
}
