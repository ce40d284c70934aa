package io.eldr.db.sample;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One statement that stores many samples: each parameter is a column of values. It costs the server less than a statement
 * for each row, and less than COPY, which would have to write everything to a table beside first to find duplicates.
 */
final class SampleInsert {
    private static final String SQL = """
            insert into sample (pool_id, request_id, label, prompt_tokens, decode_tokens, prefill, prefill_sha256,
                                decode, decode_sha256, source, created_at)
            select ?, request_id, label, prompt_tokens, decode_tokens, prefill, prefill_sha256, decode, decode_sha256,
                   source, ?
            from unnest(?::text[], ?::text[], ?::integer[], ?::integer[], ?::bytea[], ?::bytea[], ?::bytea[],
                        ?::bytea[], ?::text[])
                with ordinality as incoming (request_id, label, prompt_tokens, decode_tokens, prefill, prefill_sha256,
                                             decode, decode_sha256, source, place)
            order by place
            on conflict (pool_id, request_id) do nothing""";

    private final String[] requestId;
    private final @Nullable String[] label;
    private final Integer[] promptTokens;
    private final @Nullable Integer[] decodeTokens;
    private final byte[][] prefill;
    private final byte[][] prefillSha256;
    private final byte[] @Nullable [] decode;
    private final byte[] @Nullable [] decodeSha256;
    private final String[] source;

    SampleInsert(List<NewSample> samples) {
        int rows = samples.size();
        requestId = new String[rows];
        label = new @Nullable String[rows];
        promptTokens = new Integer[rows];
        decodeTokens = new @Nullable Integer[rows];
        prefill = new byte[rows][];
        prefillSha256 = new byte[rows][];
        decode = new byte[rows] @Nullable [];
        decodeSha256 = new byte[rows] @Nullable [];
        source = new String[rows];
        try (CountsEncoder encoder = new CountsEncoder()) {
            for (int row = 0; row < rows; row++) {
                fill(row, samples.get(row), encoder);
            }
        }
    }

    private void fill(int row, NewSample sample, CountsEncoder encoder) {
        requestId[row] = sample.requestId();
        label[row] = sample.label().orElse(null);
        promptTokens[row] = sample.promptTokens();
        prefill[row] = encoder.encode(sample.prefill());
        prefillSha256[row] = sha256(prefill[row]);
        if (sample.decode().isPresent()) {
            byte[] payload = encoder.encode(sample.decode().get().counts());
            decodeTokens[row] = sample.decode().get().tokens();
            decode[row] = payload;
            decodeSha256[row] = sha256(payload);
        }
        source[row] = sample.source().code();
    }

    /** @return how many are stored now that were not before; their ids grow in the order of the list */
    int run(Connection connection, long poolId, Timestamp now) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SQL)) {
            statement.setLong(1, poolId);
            statement.setTimestamp(2, now);
            statement.setArray(3, connection.createArrayOf("text", requestId));
            statement.setArray(4, connection.createArrayOf("text", label));
            statement.setArray(5, connection.createArrayOf("int4", promptTokens));
            statement.setArray(6, connection.createArrayOf("int4", decodeTokens));
            statement.setArray(7, connection.createArrayOf("bytea", prefill));
            statement.setArray(8, connection.createArrayOf("bytea", prefillSha256));
            statement.setArray(9, connection.createArrayOf("bytea", decode));
            statement.setArray(10, connection.createArrayOf("bytea", decodeSha256));
            statement.setArray(11, connection.createArrayOf("text", source));
            return statement.executeUpdate();
        }
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
