package io.eldr.launcher.client;

import io.eldr.core.trace.RequestSample;
import io.eldr.core.trace.SampleBatchForm;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** How a body of samples is written. */
public enum SampleForm {
    BINARY(SampleBatchForm.MEDIA_TYPE) {
        @Override
        public byte[] write(List<RequestSample> samples) {
            return SampleBatchForm.write(samples);
        }
    },
    /** A JSON object a line. */
    LINES("application/x-ndjson") {
        @Override
        public byte[] write(List<RequestSample> samples) {
            StringBuilder lines = new StringBuilder();
            samples.forEach(sample -> lines.append(line(sample)).append('\n'));
            return lines.toString().getBytes(StandardCharsets.UTF_8);
        }
    };

    private final String mediaType;

    SampleForm(String mediaType) {
        this.mediaType = mediaType;
    }

    public String mediaType() {
        return mediaType;
    }

    /** A body of at least one sample. */
    public abstract byte[] write(List<RequestSample> samples);

    private static ObjectNode line(RequestSample sample) {
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
