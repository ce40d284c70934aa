package io.eldr.core.calibration;

import io.eldr.core.signature.Representation;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes a report as JSON; an undefined figure is null. */
final class ReportJson {
    private static final double NANOS_PER_SECOND = 1e9;

    private ReportJson() {}

    static String write(CalibrationReport report) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JsonFactory.builder().build().createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            json.writeStringProperty("model", report.model().name());
            json.writeNumberProperty("requests", report.requests());
            json.writeNumberProperty("layers", report.model().geometry().layers());
            json.writeNumberProperty("experts", report.model().geometry().experts());
            json.writeNumberProperty("topK", report.model().geometry().topK());
            json.writeStringProperty("representation", report.representation().id());
            writeRho(json, report);
            writeNumber(json, "prefillDecodeCorrelation", report.prefillDecodeCorrelation());
            json.writeName("mask");
            json.writeArray(report.mask().toArray(), 0, report.mask().size());
            writeIntegers(json, "maskOrder", report.maskOrder());
            writeDoubles(json, "maskCurve", report.maskCurve());
            writeIntegers(json, "clusterSizes", report.clusterSizes());
            json.writeNumberProperty("objective", report.objective());
            json.writeNumberProperty("recommendedTau", report.recommendedTau());
            writeHeldOut(json, report);
            writeUnions(json, report.unionReduction());
            writeVerdict(json, report.verdict());
            writeTexts(json, "warnings", report.warnings());
            json.writeObjectPropertyStart("seconds");
            json.writeNumberProperty("mask", seconds(report.times().mask()));
            json.writeNumberProperty("cluster", seconds(report.times().cluster()));
            json.writeNumberProperty("total", seconds(report.times().total()));
            json.writeEndObject();
            json.writeEndObject();
        }
        return text.toString();
    }

    private static void writeRho(JsonGenerator json, CalibrationReport report) {
        json.writeObjectPropertyStart("rho");
        for (Representation representation : Representation.values()) {
            CalibrationReport.RhoFigures figures = report.rho().get(representation);
            if (figures != null) {
                json.writeObjectPropertyStart(representation.id());
                writeNumber(json, "fit", figures.fit());
                writeNumber(json, "heldOut", figures.heldOut());
                json.writeEndObject();
            }
        }
        json.writeEndObject();
    }

    private static void writeHeldOut(JsonGenerator json, CalibrationReport report) {
        if (report.heldOut().isEmpty()) {
            json.writeNullProperty("heldOut");
            return;
        }
        CalibrationReport.HeldOutFigures heldOut = report.heldOut().get();
        json.writeObjectPropertyStart("heldOut");
        writeDoubles(json, "shares", heldOut.shares());
        json.writeNumberProperty("meanBestSimilarity", heldOut.meanBestSimilarity());
        json.writeNumberProperty("meanBand", heldOut.meanBand());
        json.writeEndObject();
    }

    private static void writeUnions(JsonGenerator json, Optional<UnionReduction> unions) {
        if (unions.isEmpty()) {
            json.writeNullProperty("unionReduction");
            return;
        }
        json.writeObjectPropertyStart("unionReduction");
        json.writeStringProperty("token", unions.get().token().id());
        json.writeArrayPropertyStart("batches");
        for (UnionReduction.Batch batch : unions.get().batches()) {
            json.writeStartObject();
            json.writeNumberProperty("batch", batch.batch());
            json.writeNumberProperty("groups", batch.groups());
            json.writeNumberProperty("grouped", batch.grouped());
            json.writeNumberProperty("random", batch.random());
            json.writeNumberProperty("reductionPct", batch.reductionPct());
            json.writeNumberProperty("low", batch.low());
            json.writeNumberProperty("high", batch.high());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void writeVerdict(JsonGenerator json, WorthVerdict verdict) {
        json.writeObjectPropertyStart("verdict");
        if (verdict.worthEnabling().isPresent()) {
            json.writeBooleanProperty("worthEnabling", verdict.worthEnabling().get());
        } else {
            json.writeNullProperty("worthEnabling");
        }
        writeTexts(json, "reasons", verdict.reasons());
        json.writeEndObject();
    }

    private static void writeIntegers(JsonGenerator json, String name, Collection<Integer> values) {
        json.writeArrayPropertyStart(name);
        values.forEach(value -> json.writeNumber(value.intValue()));
        json.writeEndArray();
    }

    private static void writeDoubles(JsonGenerator json, String name, Collection<Double> values) {
        json.writeArrayPropertyStart(name);
        for (double value : values) {
            if (Double.isNaN(value)) {
                json.writeNull();
            } else {
                json.writeNumber(value);
            }
        }
        json.writeEndArray();
    }

    static void writeTexts(JsonGenerator json, String name, Collection<String> texts) {
        json.writeArrayPropertyStart(name);
        texts.forEach(json::writeString);
        json.writeEndArray();
    }

    static void writeText(JsonGenerator json, String name, Optional<String> text) {
        if (text.isPresent()) {
            json.writeStringProperty(name, text.get());
        } else {
            json.writeNullProperty(name);
        }
    }

    static void writeInteger(JsonGenerator json, String name, OptionalInt value) {
        if (value.isPresent()) {
            json.writeNumberProperty(name, value.getAsInt());
        } else {
            json.writeNullProperty(name);
        }
    }

    static void writeNumber(JsonGenerator json, String name, OptionalDouble value) {
        if (value.isPresent()) {
            json.writeNumberProperty(name, value.getAsDouble());
        } else {
            json.writeNullProperty(name);
        }
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / NANOS_PER_SECOND;
    }
}
