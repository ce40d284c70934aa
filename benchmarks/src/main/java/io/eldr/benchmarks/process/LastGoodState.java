package io.eldr.benchmarks.process;

import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.signature.Geometry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The file from which a router serves while Postgres is away: one pool, its workers, and an artifact that is active. */
public final class LastGoodState {
    private static final JsonMapper JSON = JsonMapper.shared();

    private LastGoodState() {}

    /**
     * A worker that is not probed.
     *
     * @param role {@code DECODE} or {@code PREFILL}
     */
    public record Worker(String slot, String role, String url) {}

    public static void write(Path file, String pool, RoutingArtifact artifact, List<Worker> workers)
            throws IOException {
        byte[] content = ArtifactCodec.encode(artifact);
        String sha256 = ArtifactCodec.sha256Hex(content);
        ObjectNode activation =
                JSON.createObjectNode().put("generation", 1).put("version", 1).put("sha256", sha256);
        ObjectNode root = JSON.createObjectNode();
        ObjectNode state = root.putArray("pools").addObject();
        state.set("intent", intent(pool, artifact, workers, activation));
        ObjectNode saved = state.putObject("artifact");
        saved.set("activation", activation);
        saved.putObject("stored")
                .put("content", Base64.getEncoder().encodeToString(content))
                .put("sha256", sha256);
        byte[] body = JSON.writeValueAsBytes(root);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(
                ("eldr-last-good 1 " + ArtifactCodec.sha256Hex(body) + "\n").getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(body);
        Files.write(file, out.toByteArray());
    }

    private static ObjectNode intent(
            String pool, RoutingArtifact artifact, List<Worker> workers, ObjectNode activation) {
        ObjectNode intent =
                JSON.createObjectNode().put("id", 1).put("name", pool).put("policy", "eldr");
        Geometry geometry = artifact.model().geometry();
        intent.putObject("model")
                .put("name", artifact.model().name())
                .put("revision", "")
                .putObject("geometry")
                .put("layers", geometry.layers())
                .put("experts", geometry.experts())
                .put("topK", geometry.topK());
        for (String absent : List.of("tau", "minCandidates", "hot", "shadow", "switchback", "names", "samplingRate")) {
            intent.putNull(absent);
        }
        ArrayNode list = intent.putArray("workers");
        for (Worker worker : workers) {
            list.addObject()
                    .put("slot", worker.slot())
                    .put("uid", "1")
                    .put("role", worker.role())
                    .put("url", worker.url())
                    .put("weight", 1.0)
                    .putNull("maxInFlight")
                    .put("probe", "NONE")
                    .put("draining", false)
                    .putNull("revision");
        }
        intent.set("activation", activation);
        return intent;
    }
}
