package io.eldr.calibration.refit;

import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.trace.RequestSample;
import io.eldr.db.sample.DecodedTokens;
import io.eldr.db.sample.SampleStore;
import io.eldr.db.sample.Selection;
import io.eldr.db.sample.StoredSample;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a refit works on.
 *
 * @param read the newest samples of the pool, oldest of them first
 * @param sampleIds the SHA-256 over the keys of their rows, in hex; a row never changes and its key is never used again
 */
public record RefitInput(List<Read> read, String sampleIds) {

    /** A sample, with where it stands among the pool's. */
    public record Read(long id, Instant createdAt, RequestSample sample) {}

    /** @param between called between rows; what it throws ends the reading */
    public static RefitInput read(SampleStore store, long poolId, int limit, Runnable between) {
        List<Read> samples = new ArrayList<>();
        MessageDigest digest = sha256();
        ByteBuffer key = ByteBuffer.allocate(Long.BYTES);
        store.forEachNewest(poolId, Selection.ALL, limit, stored -> {
            between.run();
            samples.add(new Read(stored.id(), stored.createdAt(), sample(stored)));
            digest.update(key.putLong(0, stored.id()).array());
        });
        return new RefitInput(List.copyOf(samples), HexFormat.of().formatHex(digest.digest()));
    }

    public List<RequestSample> samples() {
        return read.stream().map(Read::sample).toList();
    }

    OptionalLong newestSample() {
        return read.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(read.getLast().id());
    }

    /** The SHA-256 over everything that decides what the fit makes; equal ones need no second fit. */
    byte[] fingerprint(ModelIdentity model, List<String> slots, String options) {
        MessageDigest digest = sha256();
        List<String> texts = new ArrayList<>(List.of(sampleIds, model.name(), model.revision(), options));
        texts.addAll(slots);
        for (String text : texts) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            digest.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
            digest.update(bytes);
        }
        return digest.digest();
    }

    private static RequestSample sample(StoredSample stored) {
        return new RequestSample(
                stored.requestId(),
                stored.label().orElse(""),
                stored.promptTokens(),
                stored.prefill(),
                stored.decode().map(DecodedTokens::counts),
                stored.decode().map(DecodedTokens::tokens).orElse(0));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
