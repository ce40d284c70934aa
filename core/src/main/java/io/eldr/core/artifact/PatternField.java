package io.eldr.core.artifact;

import io.eldr.core.placement.DecodePatterns;
import io.eldr.core.placement.PatternBasis;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.SignatureSpec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/**
 * Decode patterns, such as {@code decodePatterns}, in the header of a binary artifact: {@code bases} (one for each) and
 * {@code u16le}, [K,L,E] little-endian uint16 in steps of 1/65,535 as Base64. It stands in the header, unlike the other
 * arrays, because readers that do not know it must be able to pass over it.
 */
final class PatternField {
    static final String OF_CLUSTERS = "decodePatterns";

    private PatternField() {}

    static void write(JsonGenerator json, String name, DecodePatterns patterns) {
        short[] steps = patterns.toSteps();
        ByteBuffer bytes = ByteBuffer.allocate(steps.length * Short.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asShortBuffer().put(steps);
        json.writeObjectPropertyStart(name);
        json.writeArrayPropertyStart("bases");
        patterns.bases().forEach(basis -> json.writeString(basis.id()));
        json.writeEndArray();
        json.writeStringProperty("u16le", Base64.getEncoder().encodeToString(bytes.array()));
        json.writeEndObject();
    }

    static Optional<DecodePatterns> read(JsonTree header, String name, SignatureSpec spec) {
        if (!header.has(name)) {
            return Optional.empty();
        }
        JsonTree field = header.object(name);
        List<PatternBasis> bases = new ArrayList<>();
        for (String basis : field.strings("bases")) {
            bases.add(PatternBasis.of(name + ".bases", basis));
        }
        byte[] bytes = base64(name + ".u16le", field.string("u16le"));
        short[] steps = new short[bytes.length / Short.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asShortBuffer().get(steps);
        if (bytes.length % Short.BYTES != 0) {
            throw new InvalidInputException(name + ".u16le", "has an odd number of bytes");
        }
        return Optional.of(DecodePatterns.ofSteps(spec.layers(), spec.experts(), bases, steps));
    }

    static byte[] base64(String name, String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException(name, "is not Base64: " + e.getMessage());
        }
    }
}
