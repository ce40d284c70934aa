package io.eldr.simulator.study;

import io.eldr.simulator.cluster.RunFigures;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes a study as JSON; what is not known, or means nothing since there is no balance, is null. */
final class StudyJson {
    private StudyJson() {}

    static String write(StudyReport report) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JsonFactory.builder().build().createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            json.writeStringProperty("arrivals", report.plan().arrivals().name());
            json.writeStringProperty("mix", report.plan().mix().toString());
            json.writeStringProperty("model", report.plan().cluster().model().name());
            json.writeStringProperty("decodeTokens", report.origin().id());
            json.writeNumberProperty("prefillers", report.plan().cluster().prefillers());
            json.writeNumberProperty("routers", report.plan().cluster().routers());
            json.writeBooleanProperty("exchanging", report.plan().cluster().exchanging());
            json.writeNumberProperty("requests", report.plan().requests());
            json.writeNumberProperty("seeds", report.plan().seeds());
            json.writeNumberProperty("firstSeed", report.plan().firstSeed());
            json.writeArrayPropertyStart("runs");
            for (PolicyRun run : report.runs()) {
                write(json, run);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, PolicyRun run) {
        boolean stable = run.unstable().isEmpty();
        json.writeStartObject();
        json.writeStringProperty("policy", run.policy().id());
        json.writeNumberProperty("rate", run.rate());
        writeNumber(json, "tau", run.tau());
        json.writeNumberProperty("decoders", run.decoders());
        json.writeName("tpotMs");
        json.writeStartObject();
        write(json, "p50", run, stable, Comparisons::p50);
        write(json, "p95", run, stable, Comparisons::p95);
        write(json, "p99", run, stable, Comparisons::p99);
        json.writeEndObject();
        json.writeName("ttftMs");
        json.writeStartObject();
        write(json, "p50", run, stable, figures -> figures.ttftMs().p50());
        write(json, "p95", run, stable, figures -> figures.ttftMs().p95());
        write(json, "p99", run, stable, figures -> figures.ttftMs().p99());
        json.writeEndObject();
        write(json, "meanUnion", run, stable, RunFigures::meanUnion);
        writeOptional(json, "meanBand", run, stable, RunFigures::meanBand);
        writeOptional(json, "spill", run, stable, RunFigures::spill);
        write(json, "maxOverMeanLoad", run, stable, RunFigures::maxOverMeanLoad);
        writeChange(json, "vsRoundRobinPct", run.vsRoundRobin());
        writeChange(json, "vsBestLoadBalancerPct", run.vsBestLoadBalancer());
        write(json, "meanBatch", run, stable, RunFigures::meanBatch);
        write(json, "meanStepMs", run, stable, RunFigures::meanStepMs);
        writeShares(json, run, stable);
        writeText(json, "tauChoice", run.tauChoice().map(TauChoice::toString));
        writeText(json, "unstable", run.unstable());
        json.writeEndObject();
    }

    /** The mean over seeds under the name, and the ends of its interval beside it. */
    private static void write(
            JsonGenerator json, String name, PolicyRun run, boolean stable, ToDoubleFunction<RunFigures> figure) {
        if (stable) {
            write(json, name, run.over(figure));
        } else {
            json.writeNullProperty(name);
            json.writeNullProperty(name + "Low");
            json.writeNullProperty(name + "High");
        }
    }

    private static void write(JsonGenerator json, String name, Interval interval) {
        writeNumber(json, name, OptionalDouble.of(interval.mean()));
        writeNumber(json, name + "Low", interval.low());
        writeNumber(json, name + "High", interval.high());
    }

    private static void writeOptional(
            JsonGenerator json, String name, PolicyRun run, boolean stable, OptionalFigure figure) {
        List<Double> values = run.bySeed().stream()
                .flatMapToDouble(figures -> figure.of(figures).stream())
                .boxed()
                .toList();
        if (stable && !values.isEmpty()) {
            write(json, name, Interval.of(values));
        } else {
            json.writeNullProperty(name);
            json.writeNullProperty(name + "Low");
            json.writeNullProperty(name + "High");
        }
    }

    @FunctionalInterface
    private interface OptionalFigure {
        OptionalDouble of(RunFigures figures);
    }

    private static void writeChange(JsonGenerator json, String name, Optional<PolicyRun.Comparison> comparison) {
        json.writeName(name);
        if (comparison.isEmpty()) {
            json.writeNull();
            return;
        }
        json.writeStartObject();
        write(json, "p50", comparison.get().p50());
        write(json, "p95", comparison.get().p95());
        write(json, "p99", comparison.get().p99());
        json.writeEndObject();
    }

    /** The mean share of each decoder over seeds. */
    private static void writeShares(JsonGenerator json, PolicyRun run, boolean stable) {
        if (!stable) {
            json.writeNullProperty("shares");
            return;
        }
        json.writeArrayPropertyStart("shares");
        for (int d = 0; d < run.bySeed().getFirst().shares().size(); d++) {
            int decoder = d;
            json.writeNumber(run.over(figures -> figures.shares().get(decoder)).mean());
        }
        json.writeEndArray();
    }

    private static void writeText(JsonGenerator json, String name, Optional<String> text) {
        if (text.isPresent()) {
            json.writeStringProperty(name, text.get());
        } else {
            json.writeNullProperty(name);
        }
    }

    /** JSON has no NaN: such a figure is not known either. */
    private static void writeNumber(JsonGenerator json, String name, OptionalDouble value) {
        if (value.isPresent() && Double.isFinite(value.getAsDouble())) {
            json.writeNumberProperty(name, value.getAsDouble());
        } else {
            json.writeNullProperty(name);
        }
    }
}
