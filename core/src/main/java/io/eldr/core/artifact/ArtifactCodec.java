package io.eldr.core.artifact;

import io.eldr.core.clustering.Centroids;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.IdfWeights;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.Representation;
import io.eldr.core.signature.SignatureSpec;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;

/**
 * The binary form of a routing artifact.
 *
 * <pre>
 * 8 bytes   "ELDRART" and the format version, 1
 * u32       length of the header
 * header    JSON: everything but these arrays, and their lengths
 * float32[] IDF weights [L,E] (only for count_idf), centroids [K,D], held-out gaps
 * 32 bytes  SHA-256 of all before
 * </pre>
 *
 * All numbers are little-endian. The same artifact always encodes to the same bytes. Fields that a reader does not know are
 * passed over, so that routers of two neighbouring releases can share artifacts; a change that they could not pass over
 * gets another format version.
 */
public final class ArtifactCodec {
    private static final byte[] MAGIC = {'E', 'L', 'D', 'R', 'A', 'R', 'T', 1};
    private static final int PREFIX = MAGIC.length + Integer.BYTES;
    private static final int CHECKSUM = 32;

    private ArtifactCodec() {}

    /** The bytes of an artifact, checksum included. */
    public static byte[] encode(RoutingArtifact artifact) {
        byte[] header = header(artifact);
        float[] idf = artifact.spec().idf().map(IdfWeights::toArray).orElse(new float[0]);
        float[] centroids = artifact.centroids().toArray();
        List<Float> gaps =
                artifact.evidence().heldOut().map(HeldOutStatistics::gaps).orElse(List.of());
        ByteBuffer out = ByteBuffer.allocate(
                        PREFIX + header.length + Float.BYTES * (idf.length + centroids.length + gaps.size()) + CHECKSUM)
                .order(ByteOrder.LITTLE_ENDIAN);
        out.put(MAGIC).putInt(header.length).put(header);
        for (float weight : idf) {
            out.putFloat(weight);
        }
        for (float value : centroids) {
            out.putFloat(value);
        }
        for (float gap : gaps) {
            out.putFloat(gap);
        }
        byte[] bytes = out.array();
        out.put(sha256(bytes, bytes.length - CHECKSUM));
        return bytes;
    }

    /**
     * Reads an artifact and checks it whole.
     *
     * @throws InvalidInputException naming {@code artifact} or the part of it that is wrong
     */
    public static RoutingArtifact decode(byte[] bytes) {
        if (!isBinary(bytes)) {
            throw new InvalidInputException("artifact", "does not start with the mark of a binary ELDR artifact");
        }
        if (bytes[MAGIC.length - 1] != MAGIC[MAGIC.length - 1]) {
            throw new InvalidInputException("artifact", "has format version " + bytes[MAGIC.length - 1] + "; known: 1");
        }
        if (bytes.length < PREFIX + CHECKSUM) {
            throw new InvalidInputException("artifact", "is truncated: " + bytes.length + " bytes");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        byte[] checksum = new byte[CHECKSUM];
        in.get(bytes.length - CHECKSUM, checksum);
        if (!MessageDigest.isEqual(checksum, sha256(bytes, bytes.length - CHECKSUM))) {
            throw new InvalidInputException("artifact", "is damaged: its SHA-256 does not match");
        }
        in.position(MAGIC.length);
        int headerLength = in.getInt();
        int body = bytes.length - CHECKSUM - PREFIX;
        if (headerLength < 0 || headerLength > body) {
            throw new InvalidInputException("artifact", "has a header of impossible length " + headerLength);
        }
        byte[] header = new byte[headerLength];
        in.get(header);
        in.limit(bytes.length - CHECKSUM);
        return read(JsonTree.parse("artifact.header", header), in);
    }

    /** True if the bytes start like the binary form, whatever its version. */
    public static boolean isBinary(byte[] bytes) {
        if (bytes.length < MAGIC.length) {
            return false;
        }
        for (int i = 0; i < MAGIC.length - 1; i++) {
            if (bytes[i] != MAGIC[i]) {
                return false;
            }
        }
        return true;
    }

    /** The SHA-256 of bytes made by {@link #encode}, in lower-case hex: an artifact's name for itself. */
    public static String sha256Hex(byte[] bytes) {
        return java.util.HexFormat.of().formatHex(sha256(bytes, bytes.length));
    }

    private static RoutingArtifact read(JsonTree header, ByteBuffer blocks) {
        Geometry geometry = new Geometry(header.integer("layers"), header.integer("experts"), header.integer("topK"));
        ModelIdentity model = new ModelIdentity(header.string("model"), header.string("revision"), geometry);
        Representation representation = Representation.of("representation", header.string("representation"));
        LayerMask mask = LayerMask.of(geometry.layers(), header.integers("mask"));
        Optional<IdfWeights> idf = Optional.empty();
        if (representation == Representation.COUNT_IDF) {
            float[] weights = floats(blocks, "idf", geometry.cells());
            idf = Optional.of(IdfWeights.of(geometry.layers(), geometry.experts(), weights));
        }
        SignatureSpec spec = new SignatureSpec(geometry.layers(), geometry.experts(), representation, mask, idf);
        int clusters = header.integer("clusters");
        if (clusters < 1) {
            throw new InvalidInputException("clusters", "must be at least 1 but is " + clusters);
        }
        Centroids centroids = Centroids.of(
                clusters, spec.dimensions(), floats(blocks, "centroids", (long) clusters * spec.dimensions()));
        Optional<HeldOutStatistics> heldOut =
                header.has("heldOut") ? Optional.of(heldOut(header.object("heldOut"), blocks)) : Optional.empty();
        if (blocks.hasRemaining()) {
            throw new InvalidInputException("artifact", "has " + blocks.remaining() + " bytes too many");
        }
        return new RoutingArtifact(
                model,
                spec,
                centroids,
                header.strings("slots"),
                header.number("recommendedTau"),
                new Evidence(
                        header.integer("fittedRequests"),
                        header.longInteger("seed"),
                        rho(header.object("rho")),
                        boxed(header.integers("maskOrder")),
                        boxed(header.numbersOrNaN("maskCurve")),
                        heldOut,
                        PatternField.read(header, PatternField.OF_CLUSTERS, spec),
                        foreign(header.object("foreign")),
                        header.has("labelShares") ? labelShares(header.object("labelShares")) : Map.of(),
                        ForecastField.read(header, spec)));
    }

    private static HeldOutStatistics heldOut(JsonTree json, ByteBuffer blocks) {
        int gapCount = json.integer("gaps");
        List<Float> gaps = new ArrayList<>();
        for (float gap : floats(blocks, "heldOut.gaps", gapCount)) {
            gaps.add(gap);
        }
        return new HeldOutStatistics(
                json.integer("requests"),
                boxed(json.numbers("shares")),
                boxed(json.integers("similarityHistogram")),
                json.number("meanBestSimilarity"),
                json.number("meanBand"),
                gaps);
    }

    private static Map<Representation, Evidence.Rho> rho(JsonTree json) {
        Map<Representation, Evidence.Rho> rho = new EnumMap<>(Representation.class);
        for (String name : json.names()) {
            JsonTree value = json.object(name);
            Optional<Double> heldOut = value.has("heldOut") ? Optional.of(value.number("heldOut")) : Optional.empty();
            rho.put(Representation.of("rho", name), new Evidence.Rho(value.number("fit"), heldOut));
        }
        return rho;
    }

    private static Map<String, String> foreign(JsonTree json) {
        Map<String, String> foreign = new TreeMap<>();
        for (String name : json.names()) {
            foreign.put(name, json.string(name));
        }
        return foreign;
    }

    private static Map<String, Double> labelShares(JsonTree json) {
        Map<String, Double> shares = new TreeMap<>();
        for (String label : json.names()) {
            shares.put(label, json.number(label));
        }
        return shares;
    }

    private static byte[] header(RoutingArtifact artifact) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = JsonTree.generator(out)) {
            ModelIdentity model = artifact.model();
            Evidence evidence = artifact.evidence();
            json.writeStartObject();
            json.writeStringProperty("model", model.name());
            json.writeStringProperty("revision", model.revision());
            json.writeNumberProperty("layers", model.geometry().layers());
            json.writeNumberProperty("experts", model.geometry().experts());
            json.writeNumberProperty("topK", model.geometry().topK());
            json.writeStringProperty(
                    "representation", artifact.spec().representation().id());
            json.writeName("mask");
            json.writeArray(
                    artifact.spec().mask().toArray(), 0, artifact.spec().mask().size());
            json.writeNumberProperty("clusters", artifact.centroids().count());
            json.writeArrayPropertyStart("slots");
            artifact.slots().forEach(json::writeString);
            json.writeEndArray();
            json.writeNumberProperty("recommendedTau", artifact.recommendedTau());
            json.writeNumberProperty("fittedRequests", evidence.fittedRequests());
            json.writeNumberProperty("seed", evidence.seed());
            json.writeObjectPropertyStart("rho");
            new TreeMap<>(evidence.rho()).forEach((representation, rho) -> {
                json.writeObjectPropertyStart(representation.id());
                json.writeNumberProperty("fit", rho.fit());
                rho.heldOut().ifPresent(value -> json.writeNumberProperty("heldOut", value));
                json.writeEndObject();
            });
            json.writeEndObject();
            json.writeArrayPropertyStart("maskOrder");
            evidence.maskOrder().forEach(layer -> json.writeNumber(layer.intValue()));
            json.writeEndArray();
            json.writeArrayPropertyStart("maskCurve");
            evidence.maskCurve().forEach(rho -> writeRho(json, rho));
            json.writeEndArray();
            evidence.heldOut().ifPresent(heldOut -> writeHeldOut(json, heldOut));
            evidence.decodePatterns()
                    .ifPresent(patterns -> PatternField.write(json, PatternField.OF_CLUSTERS, patterns));
            json.writeObjectPropertyStart("foreign");
            new TreeMap<>(evidence.foreign()).forEach(json::writeStringProperty);
            json.writeEndObject();
            if (!evidence.labelShares().isEmpty()) {
                json.writeObjectPropertyStart("labelShares");
                new TreeMap<>(evidence.labelShares()).forEach(json::writeNumberProperty);
                json.writeEndObject();
            }
            evidence.forecast().ifPresent(forecast -> ForecastField.write(json, forecast));
            json.writeEndObject();
        }
        return out.toByteArray();
    }

    private static void writeRho(JsonGenerator json, double rho) {
        if (Double.isNaN(rho)) {
            json.writeNull();
        } else {
            json.writeNumber(rho);
        }
    }

    private static void writeHeldOut(JsonGenerator json, HeldOutStatistics heldOut) {
        json.writeObjectPropertyStart("heldOut");
        json.writeNumberProperty("requests", heldOut.requests());
        json.writeArrayPropertyStart("shares");
        heldOut.shares().forEach(share -> json.writeNumber(share.doubleValue()));
        json.writeEndArray();
        json.writeArrayPropertyStart("similarityHistogram");
        heldOut.similarityHistogram().forEach(bin -> json.writeNumber(bin.intValue()));
        json.writeEndArray();
        json.writeNumberProperty("meanBestSimilarity", heldOut.meanBestSimilarity());
        json.writeNumberProperty("meanBand", heldOut.meanBand());
        json.writeNumberProperty("gaps", heldOut.gaps().size());
        json.writeEndObject();
    }

    private static float[] floats(ByteBuffer blocks, String field, long count) {
        if (count < 0 || count * Float.BYTES > blocks.remaining()) {
            throw new InvalidInputException(
                    field,
                    "needs " + count + " values but " + blocks.remaining() / Float.BYTES + " are left in the artifact");
        }
        float[] values = new float[(int) count];
        for (int i = 0; i < values.length; i++) {
            values[i] = blocks.getFloat();
        }
        return values;
    }

    private static List<Integer> boxed(int[] values) {
        List<Integer> list = new ArrayList<>(values.length);
        for (int value : values) {
            list.add(value);
        }
        return list;
    }

    private static List<Double> boxed(double[] values) {
        List<Double> list = new ArrayList<>(values.length);
        for (double value : values) {
            list.add(value);
        }
        return list;
    }

    private static byte[] sha256(byte[] bytes, int length) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes, 0, length);
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
