package io.eldr.simulator.report;

import java.io.StringWriter;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes an evaluation as JSON: each figure's rows under their columns' names, and how they are drawn. */
final class EvaluationJson {
    private EvaluationJson() {}

    static String write(EvaluationReport report) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JsonFactory.builder().build().createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            json.writeStringProperty("format", "eldr-report-v1");
            json.writeBooleanProperty("quick", report.plan().quick());
            json.writeNumberProperty("seed", report.plan().seed());
            json.writeNumberProperty("seeds", report.plan().seeds());
            json.writeNumberProperty("requests", report.plan().requests());
            json.writeNumberProperty("outputTokens", report.plan().outputTokens());
            json.writeArrayPropertyStart("sets");
            for (TraceSet set : report.sets()) {
                write(json, set);
            }
            json.writeEndArray();
            strings(json, "absent", report.absent());
            json.writeArrayPropertyStart("sections");
            for (Section section : report.sections()) {
                write(json, section);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, TraceSet set) {
        json.writeStartObject();
        json.writeStringProperty("name", set.name());
        json.writeStringProperty("model", set.trace().model());
        json.writeNumberProperty("requests", set.samples().size());
        json.writeNumberProperty("layers", set.trace().geometry().layers());
        json.writeNumberProperty("experts", set.trace().geometry().experts());
        json.writeNumberProperty("topK", set.trace().geometry().topK());
        json.writeStringProperty("signatureFrom", set.source().toString());
        json.writeBooleanProperty("decodes", set.decodes());
        json.writeStringProperty("caveat", set.caveat());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Section section) {
        json.writeStartObject();
        json.writeStringProperty("id", section.id());
        json.writeStringProperty("title", section.title());
        json.writeStringProperty("method", section.method());
        json.writeStringProperty("authors", section.authors());
        json.writeStringProperty("differs", section.differs());
        json.writeBooleanProperty("reproducible", section.reproducible());
        strings(json, "absent", section.absent());
        json.writeArrayPropertyStart("panels");
        for (Panel panel : section.panels()) {
            json.writeStartObject();
            json.writeStringProperty("title", panel.title());
            json.writeStringProperty("reading", panel.reading());
            write(json, panel.chart());
            write(json, panel.table());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Chart chart) {
        json.writeName("chart");
        json.writeStartObject();
        json.writeStringProperty("kind", chart.kind().id());
        json.writeStringProperty("x", chart.x());
        strings(json, "y", chart.y());
        json.writeStringProperty("by", chart.by());
        json.writeStringProperty("xTitle", chart.xTitle());
        json.writeStringProperty("yTitle", chart.yTitle());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Table table) {
        json.writeArrayPropertyStart("columns");
        for (Table.Column column : table.columns()) {
            json.writeStartObject();
            json.writeStringProperty("key", column.key());
            json.writeStringProperty("title", column.title());
            json.writeNumberProperty("digits", column.digits());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayPropertyStart("rows");
        for (Table.Row row : table.rows()) {
            json.writeStartObject();
            for (int i = 0; i < table.columns().size(); i++) {
                json.writeName(table.columns().get(i).key());
                switch (row.values().get(i)) {
                    case Table.Value.Text(String value) -> json.writeString(value);
                    case Table.Value.Figure(double value) -> json.writeNumber(value);
                    case Table.Value.Unknown() -> json.writeNull();
                }
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void strings(JsonGenerator json, String name, List<String> values) {
        json.writeArrayPropertyStart(name);
        values.forEach(json::writeString);
        json.writeEndArray();
    }
}
