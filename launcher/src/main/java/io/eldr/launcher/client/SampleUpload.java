package io.eldr.launcher.client;

import io.eldr.core.trace.RequestSample;
import io.eldr.core.trace.SampleBatchForm;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Sends calibration requests to a pool in the binary form, in bodies of a few megabytes at most. */
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
        for (List<RequestSample> batch : batches(samples, BATCH_BYTES)) {
            result = result.plus(post(SampleForm.BINARY, SampleForm.BINARY.write(batch)));
        }
        return result;
    }

    /** Sends one body and gives back the service's answer. */
    public JsonNode post(SampleForm form, byte[] body) {
        return calibration.post("/v1/pools/" + EldrClient.encode(pool) + "/samples", body, form.mediaType());
    }

    /** The samples in their order, cut where a batch has at least so many bytes. */
    public static List<List<RequestSample>> batches(List<RequestSample> samples, int bytes) {
        List<List<RequestSample>> batches = new ArrayList<>();
        int from = 0;
        long size = 0;
        for (int i = 0; i < samples.size(); i++) {
            size += SampleBatchForm.bytes(samples.get(i));
            if (size >= bytes || i == samples.size() - 1) {
                batches.add(samples.subList(from, i + 1));
                from = i + 1;
                size = 0;
            }
        }
        return batches;
    }
}
