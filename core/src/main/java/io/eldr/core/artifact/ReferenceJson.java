package io.eldr.core.artifact;

import io.eldr.core.clustering.Centroids;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.IdfWeights;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.Representation;
import io.eldr.core.signature.SignatureSpec;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * The router file of the ELDR authors' Python artifact, so that fits travel between the two.
 *
 * <p>Their file has no top-k, no revision, no slots and no statistics: these come from the importing pool, slots are
 * {@code "0".."K-1"} until they are bound, and tau is the authors' default. Their {@code count} always means all layers
 * without weights, so a masked {@code count} artifact is written as {@code count_idf} with all weights 1.
 */
public final class ReferenceJson {
    private static final Set<String> KNOWN =
            Set.of("model", "k", "m", "L", "e", "variant", "layer_mask", "sig_idf", "centroids", "sig_dtype");
    private static final String COUNT_DTYPE = "<i2";

    private ReferenceJson() {}

    /**
     * Reads a router file.
     *
     * @param topK k of the model, which the file does not carry
     * @throws InvalidInputException naming the field at fault
     */
    public static RoutingArtifact read(byte[] json, int topK, String revision) {
        JsonTree file = JsonTree.parse("artifact", json);
        Geometry geometry;
        try {
            geometry = new Geometry(file.integer("L"), file.integer("e"), topK);
        } catch (InvalidInputException e) {
            throw new InvalidInputException(
                    e.field().equals("layers") ? "L" : e.field().equals("experts") ? "e" : e.field(), e.reason());
        }
        int clusters = file.integer("k");
        if (clusters < 1) {
            throw new InvalidInputException("k", "must be at least 1 but is " + clusters);
        }
        if (file.has("sig_dtype") && !file.string("sig_dtype").equals(COUNT_DTYPE)) {
            throw new InvalidInputException(
                    "sig_dtype", "must be " + COUNT_DTYPE + " but is " + file.string("sig_dtype"));
        }
        LayerMask mask = mask(file, geometry.layers());
        SignatureSpec spec = spec(file, geometry, mask);
        return new RoutingArtifact(
                new ModelIdentity(file.string("model"), revision, geometry),
                spec,
                centroids(file, clusters, spec.dimensions()),
                IntStream.range(0, clusters).mapToObj(Integer::toString).toList(),
                RoutingArtifact.DEFAULT_TAU,
                evidence(file));
    }

    /**
     * Writes a router file.
     *
     * @throws InvalidInputException naming {@code representation} if it is binary, which that format cannot say
     */
    public static byte[] write(RoutingArtifact artifact) {
        SignatureSpec spec = artifact.spec();
        Geometry geometry = artifact.model().geometry();
        if (spec.representation() == Representation.BINARY) {
            throw new InvalidInputException(
                    "representation", "binary cannot be exported: the reference's router file has no such variant");
        }
        boolean plain =
                spec.representation() == Representation.COUNT && spec.mask().equals(LayerMask.all(geometry.layers()));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = JsonTree.generator(out)) {
            json.writeStartObject();
            json.writeStringProperty("model", artifact.model().name());
            json.writeNumberProperty("k", artifact.clusters());
            json.writeNumberProperty("m", artifact.clusters());
            json.writeNumberProperty("L", geometry.layers());
            json.writeNumberProperty("e", geometry.experts());
            json.writeStringProperty("variant", plain ? "count" : "count_idf");
            json.writeName("layer_mask");
            json.writeArray(spec.mask().toArray(), 0, spec.mask().size());
            if (!plain) {
                json.writeArrayPropertyStart("sig_idf");
                for (int d = 0; d < spec.dimensions(); d++) {
                    int cell = spec.cellOf(d);
                    json.writeNumber(
                            spec.idf().map(idf -> idf.cell(cell)).orElse(1f).floatValue());
                }
                json.writeEndArray();
            }
            json.writeArrayPropertyStart("centroids");
            for (int k = 0; k < artifact.clusters(); k++) {
                json.writeStartArray();
                for (int d = 0; d < spec.dimensions(); d++) {
                    json.writeNumber(artifact.centroids().value(k, d));
                }
                json.writeEndArray();
            }
            json.writeEndArray();
            json.writeStringProperty("sig_dtype", COUNT_DTYPE);
            own(artifact.evidence()).forEach((name, text) -> {
                json.writeName(name);
                json.writeRawValue(text);
            });
            json.writeEndObject();
        }
        return out.toByteArray();
    }

    /** The optional fields: those the file came with, else those that our own fit knows. */
    private static Map<String, String> own(Evidence evidence) {
        Map<String, String> fields = new TreeMap<>();
        if (evidence.fittedRequests() > 0) {
            fields.put("n_fit", Integer.toString(evidence.fittedRequests()));
            fields.put("seed", Long.toString(evidence.seed()));
        }
        fields.putAll(evidence.foreign());
        return fields;
    }

    private static Evidence evidence(JsonTree file) {
        Map<String, String> foreign = new LinkedHashMap<>();
        for (String name : file.names()) {
            if (!KNOWN.contains(name)) {
                foreign.put(name, file.text(name));
            }
        }
        return new Evidence(0, 0, Map.of(), List.of(), List.of(), Optional.empty(), foreign);
    }

    private static LayerMask mask(JsonTree file, int layers) {
        if (!file.has("layer_mask")) {
            return LayerMask.all(layers);
        }
        try {
            return LayerMask.of(layers, file.integers("layer_mask"));
        } catch (InvalidInputException e) {
            throw e.field().equals("mask") ? new InvalidInputException("layer_mask", e.reason()) : e;
        }
    }

    private static SignatureSpec spec(JsonTree file, Geometry geometry, LayerMask mask) {
        String variant = file.has("variant") ? file.string("variant") : "count";
        return switch (variant) {
            case "count" -> {
                if (mask.size() != geometry.layers()) {
                    throw new InvalidInputException(
                            "layer_mask", "must hold all " + geometry.layers() + " layers for variant count");
                }
                yield SignatureSpec.count(geometry.layers(), geometry.experts(), mask);
            }
            case "count_idf" -> {
                double[] masked = file.numbers("sig_idf");
                int dimensions = mask.size() * geometry.experts();
                if (masked.length != dimensions) {
                    throw new InvalidInputException(
                            "sig_idf", "must hold " + dimensions + " weights but holds " + masked.length);
                }
                yield weighted(geometry, mask, masked);
            }
            default ->
                throw new InvalidInputException(
                        "variant",
                        "must be count or count_idf but is '" + variant + "'; signatures of that kind are"
                                + " not expert counts");
        };
    }

    /** All weights 1 is how a masked plain count travels: it comes back as what it was. */
    private static SignatureSpec weighted(Geometry geometry, LayerMask mask, double[] masked) {
        if (Arrays.stream(masked).allMatch(weight -> weight == 1)) {
            return SignatureSpec.count(geometry.layers(), geometry.experts(), mask);
        }
        float[] weights = new float[geometry.cells()];
        for (int d = 0; d < masked.length; d++) {
            weights[mask.layer(d / geometry.experts()) * geometry.experts() + d % geometry.experts()] =
                    (float) masked[d];
        }
        try {
            return SignatureSpec.countIdf(mask, IdfWeights.of(geometry.layers(), geometry.experts(), weights));
        } catch (InvalidInputException e) {
            throw new InvalidInputException("sig_idf", e.reason());
        }
    }

    private static Centroids centroids(JsonTree file, int clusters, int dimensions) {
        List<@Nullable Object> rows = file.list("centroids");
        if (rows.size() != clusters) {
            throw new InvalidInputException("centroids", "must be k = " + clusters + " rows but are " + rows.size());
        }
        float[] values = new float[Math.multiplyExact(clusters, dimensions)];
        for (int k = 0; k < clusters; k++) {
            String field = "centroids[" + k + "]";
            double[] row = JsonTree.numbers(field, JsonTree.asList(field, rows.get(k)));
            if (row.length != dimensions) {
                throw new InvalidInputException(field, "must hold " + dimensions + " values but holds " + row.length);
            }
            for (int d = 0; d < dimensions; d++) {
                values[k * dimensions + d] = (float) row[d];
            }
        }
        return Centroids.of(clusters, dimensions, values);
    }
}
