package io.eldr.launcher;

import io.eldr.core.trace.RoutingTrace;
import io.eldr.core.trace.TraceRequest;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The first few requests of the trace that ships. */
public final class CutTrace {
    private CutTrace() {}

    /** Writes so many requests to a folder. */
    public static void write(int requests, Path folder) throws IOException {
        Path shipped = CommandLineRun.checkout().resolve("data/own/small-moe-28M/serving");
        Files.createDirectories(folder);
        List<String> index = Files.readAllLines(shipped.resolve("index.jsonl"));
        int bytes =
                JsonMapper.shared().readTree(index.get(requests)).get("offset").asInt();
        Files.write(folder.resolve("index.jsonl"), index.subList(0, requests));
        ObjectNode meta = (ObjectNode) JsonMapper.shared().readTree(Files.readString(shipped.resolve("meta.json")));
        Files.writeString(
                folder.resolve("meta.json"), meta.put("requests", requests).toString());
        try (InputStream whole = new GZIPInputStream(Files.newInputStream(shipped.resolve("experts.u8.gz")));
                OutputStream part = new GZIPOutputStream(Files.newOutputStream(folder.resolve("experts.u8.gz")))) {
            part.write(whole.readNBytes(bytes));
        }
    }

    /** Adds sums of a gating network whose probabilities and logits are as the counts are. */
    public static void writeGating(Path folder) throws IOException {
        RoutingTrace trace = RoutingTrace.read(folder);
        for (String file : List.of("gate_prob_sums.f16le.gz", "gate_logit_sums.f16le.gz")) {
            try (DataOutputStream out =
                    new DataOutputStream(new GZIPOutputStream(Files.newOutputStream(folder.resolve(file))))) {
                for (TraceRequest request : trace.requests()) {
                    for (int count : request.prefillCounts().toArray()) {
                        out.writeShort(Short.reverseBytes(Float.floatToFloat16(count)));
                    }
                }
            }
        }
    }
}
