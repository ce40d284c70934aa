package io.eldr.core.artifact;

import io.eldr.core.clustering.Centroids;
import io.eldr.core.placement.DecodePatterns;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.SignatureSpec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;

/**
 * The field {@code forecast} in the header of a binary artifact, which readers that do not know it pass over: {@code
 * promptShare}, {@code logLoss} by name and, where there are any, {@code neighbours} with {@code mask}, {@code nearest},
 * {@code temperature}, {@code centroids} (little-endian float32 as Base64) and {@code patterns}.
 */
final class ForecastField {
    private static final String NAME = "forecast";
    private static final String NEIGHBOURS = "neighbours";
    private static final String PATTERNS = "patterns";
    private static final String CENTROIDS = "centroids";

    private ForecastField() {}

    static void write(JsonGenerator json, DecodeForecast forecast) {
        json.writeObjectPropertyStart(NAME);
        json.writeNumberProperty("promptShare", forecast.promptShare());
        json.writeObjectPropertyStart("logLoss");
        new TreeMap<>(forecast.logLoss()).forEach(json::writeNumberProperty);
        json.writeEndObject();
        forecast.neighbours().ifPresent(neighbours -> write(json, neighbours));
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, PatternNeighbours neighbours) {
        float[] centroids = neighbours.centroids().toArray();
        ByteBuffer bytes = ByteBuffer.allocate(centroids.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(centroids);
        int[] mask = neighbours.mask().toArray();
        json.writeObjectPropertyStart(NEIGHBOURS);
        json.writeName("mask");
        json.writeArray(mask, 0, mask.length);
        json.writeNumberProperty("nearest", neighbours.nearest());
        json.writeNumberProperty("temperature", neighbours.temperature());
        json.writeStringProperty(CENTROIDS, Base64.getEncoder().encodeToString(bytes.array()));
        PatternField.write(json, PATTERNS, neighbours.patterns());
        json.writeEndObject();
    }

    static Optional<DecodeForecast> read(JsonTree header, SignatureSpec spec) {
        if (!header.has(NAME)) {
            return Optional.empty();
        }
        JsonTree field = header.object(NAME);
        Optional<PatternNeighbours> neighbours =
                field.has(NEIGHBOURS) ? Optional.of(neighbours(field.object(NEIGHBOURS), spec)) : Optional.empty();
        return Optional.of(
                new DecodeForecast(field.number("promptShare"), neighbours, losses(field.object("logLoss"))));
    }

    private static Map<String, Double> losses(JsonTree json) {
        Map<String, Double> losses = new TreeMap<>();
        for (String name : json.names()) {
            losses.put(name, json.number(name));
        }
        return losses;
    }

    private static PatternNeighbours neighbours(JsonTree json, SignatureSpec spec) {
        LayerMask mask = LayerMask.of(spec.layers(), json.integers("mask"));
        DecodePatterns patterns = PatternField.read(json, PATTERNS, spec)
                .orElseThrow(() -> new InvalidInputException("forecast.neighbours.patterns", "is missing"));
        byte[] bytes = PatternField.base64("forecast.neighbours.centroids", json.string(CENTROIDS));
        int dimensions = mask.size() * spec.experts();
        if (bytes.length != (long) patterns.clusters() * dimensions * Float.BYTES) {
            throw new InvalidInputException(
                    "forecast.neighbours.centroids",
                    "must hold " + patterns.clusters() + " x " + dimensions + " values but has " + bytes.length
                            + " bytes");
        }
        float[] values = new float[bytes.length / Float.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
        return new PatternNeighbours(
                mask,
                Centroids.of(patterns.clusters(), dimensions, values),
                patterns,
                json.integer("nearest"),
                json.number("temperature"));
    }
}
