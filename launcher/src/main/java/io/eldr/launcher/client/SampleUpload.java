package io.eldr.launcher.client;

import io.eldr.core.trace.RequestSample;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Sends calibration requests to a pool as JSON lines, in bodies of a few megabytes at most. */
public final class SampleUpload {

    private static final int BATCH_BYTES = 4 << 20;

    private final EldrClient calibration;
    private final String pool;

    public SampleUpload(EldrClient calibration, String pool) {
        this.calibration = calibration;
        this.pool = pool;
    }

    /**
     * What the service made of the samples.
     *
     * @param accepted stored now
     * @param duplicates had been there already
     * @param batches how many bodies were sent
     */
    public record Result(long accepted, long duplicates, int batches) {

        private Result plus(JsonNode answer) {
            return new Result(
                    accepted + answer.path("accepted").asLong(),
                    duplicates + answer.path("duplicates").asLong(),
                    batches + 1);
        }
    }

    /** @throws ApiException if the service refuses a batch; the batches before it are stored */
    public Result send(List<RequestSample> samples) {
        Result result = new Result(0, 0, 0);
        StringBuilder batch = new StringBuilder();
        for (RequestSample sample : samples) {
            batch.append(line(sample)).append('\n');
            if (batch.length() >= BATCH_BYTES) {
                result = result.plus(post(batch));
            }
        }
        return batch.isEmpty() ? result : result.plus(post(batch));
    }

    private JsonNode post(StringBuilder batch) {
        byte[] body = batch.toString().getBytes(StandardCharsets.UTF_8);
        batch.setLength(0);
        return calibration.post("/v1/pools/" + EldrClient.encode(pool) + "/samples", body, "application/x-ndjson");
    }

    /** A sample as one line of JSON. */
    static ObjectNode line(RequestSample sample) {
        ObjectNode line = JsonNodeFactory.instance.objectNode().put("requestId", sample.id());
        if (!sample.label().isEmpty()) {
            line.put("label", sample.label());
        }
        line.put("promptTokens", sample.signatureTokens());
        line.putObject("prefill").set("eldr", CountsForm.json(sample.prefill(), sample.signatureTokens()));
        sample.decode().ifPresent(decode -> {
            line.put("decodeTokens", sample.decodeTokens());
            line.putObject("decode").set("eldr", CountsForm.json(decode, sample.decodeTokens()));
        });
        return line;
    }
}
