package io.eldr.core.placement;

import java.io.StringWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes a placement as JSON: {@code decoders[].layout[layer][position]} is a logical expert. */
final class PlacementJson {
    private PlacementJson() {}

    static String write(ExpertPlacement placement) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JsonFactory.builder().build().createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            json.writeNumberProperty("ranks", placement.ranks());
            json.writeNumberProperty("batch", placement.batch());
            json.writeNumberProperty("layers", placement.layers());
            json.writeNumberProperty("experts", placement.experts());
            writeLoads(json, placement.meanLoads());
            json.writeArrayPropertyStart("decoders");
            for (int k = 0; k < placement.decoders().size(); k++) {
                writeDecoder(json, placement, k);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return text.toString();
    }

    private static void writeDecoder(JsonGenerator json, ExpertPlacement placement, int decoder) {
        json.writeStartObject();
        json.writeStringProperty("decoder", placement.decoders().get(decoder));
        json.writeStringProperty("basis", placement.basis(decoder).id());
        writeLoads(json, placement.loads().get(decoder));
        json.writeArrayPropertyStart("layout");
        for (int layer = 0; layer < placement.layers(); layer++) {
            json.writeStartArray();
            for (int position = 0; position < placement.experts(); position++) {
                json.writeNumber(placement.expertAt(decoder, layer, position));
            }
            json.writeEndArray();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void writeLoads(JsonGenerator json, RankLoads loads) {
        json.writeObjectPropertyStart("maxToMeanLoad");
        json.writeNumberProperty("contiguous", loads.contiguous());
        json.writeNumberProperty("global", loads.global());
        json.writeNumberProperty("perDecoder", loads.perDecoder());
        json.writeEndObject();
    }
}
