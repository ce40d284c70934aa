package io.eldr.benchmarks.gateway;

import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.artifact.Evidence;
import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.clustering.Centroids;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.SignatureSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The file from which a router serves while Postgres is away: one pool of the benchmark's engines, routed by an artifact of
 * random centroids over all 48 layers of 128 experts. They decide nothing sensible, at the price of those that do.
 */
final class LastGoodState {
    private static final Geometry GEOMETRY = new Geometry(48, 128, 8);
    private static final double TAU = 0.02;
    private static final long SEED = 1;
    private static final JsonMapper JSON = JsonMapper.shared();

    private LastGoodState() {}

    static void write(Path file, Engines engines) throws IOException {
        byte[] content = ArtifactCodec.encode(artifact(engines.decode().size()));
        String sha256 = ArtifactCodec.sha256Hex(content);
        ObjectNode activation =
                JSON.createObjectNode().put("generation", 1).put("version", 1).put("sha256", sha256);
        ObjectNode root = JSON.createObjectNode();
        ObjectNode pool = root.putArray("pools").addObject();
        pool.set("intent", intent(engines, activation));
        ObjectNode artifact = pool.putObject("artifact");
        artifact.set("activation", activation);
        artifact.putObject("stored")
                .put("content", Base64.getEncoder().encodeToString(content))
                .put("sha256", sha256);
        byte[] body = JSON.writeValueAsBytes(root);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(
                ("eldr-last-good 1 " + ArtifactCodec.sha256Hex(body) + "\n").getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(body);
        Files.write(file, out.toByteArray());
    }

    private static ObjectNode intent(Engines engines, ObjectNode activation) {
        ObjectNode intent =
                JSON.createObjectNode().put("id", 1).put("name", Messages.MODEL).put("policy", "eldr");
        intent.putObject("model")
                .put("name", Messages.MODEL)
                .put("revision", "")
                .putObject("geometry")
                .put("layers", GEOMETRY.layers())
                .put("experts", GEOMETRY.experts())
                .put("topK", GEOMETRY.topK());
        for (String absent : List.of("tau", "minCandidates", "hot", "shadow", "switchback", "names", "samplingRate")) {
            intent.putNull(absent);
        }
        ArrayNode workers = intent.putArray("workers");
        addWorkers(workers, "decoder-", "DECODE", engines.decode());
        addWorkers(workers, "prefiller-", "PREFILL", engines.prefill());
        intent.set("activation", activation);
        return intent;
    }

    private static void addWorkers(ArrayNode workers, String slot, String role, List<URI> urls) {
        for (int i = 0; i < urls.size(); i++) {
            workers.addObject()
                    .put("slot", slot + i)
                    .put("uid", "1")
                    .put("role", role)
                    .put("url", urls.get(i).toString())
                    .put("weight", 1.0)
                    .putNull("maxInFlight")
                    .put("probe", "NONE")
                    .put("draining", false)
                    .putNull("revision");
        }
    }

    private static RoutingArtifact artifact(int decoders) {
        return new RoutingArtifact(
                new ModelIdentity(Messages.MODEL, "", GEOMETRY),
                SignatureSpec.count(GEOMETRY.layers(), GEOMETRY.experts(), LayerMask.all(GEOMETRY.layers())),
                Centroids.of(decoders, GEOMETRY.cells(), unitVectors(decoders)),
                IntStream.range(0, decoders).mapToObj(i -> "decoder-" + i).toList(),
                TAU,
                Evidence.NONE);
    }

    /** [decoder][cell], each of norm 1. */
    private static float[] unitVectors(int decoders) {
        SplittableRandom random = new SplittableRandom(SEED);
        int cells = GEOMETRY.cells();
        float[] values = new float[decoders * cells];
        for (int decoder = 0; decoder < decoders; decoder++) {
            double squares = 0;
            for (int cell = 0; cell < cells; cell++) {
                float value = random.nextFloat();
                values[decoder * cells + cell] = value;
                squares += value * value;
            }
            for (int cell = 0; cell < cells; cell++) {
                values[decoder * cells + cell] /= (float) Math.sqrt(squares);
            }
        }
        return values;
    }
}
