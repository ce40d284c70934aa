package io.eldr.db.sample;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.db.mapping.DatabaseTime;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/**
 * The samples of all pools, by plain JDBC: rows with payloads of some KB come in batches and are streamed out, so that
 * neither way holds more than a batch of rows in memory.
 */
@Component
public class SampleStore {
    private static final int BATCH = 500;
    private static final int FETCH = 200;

    static final String COUNT_UP_TO =
            "select count(*) as n from (select 1 from sample where pool_id = ? limit ?) as counted";

    private final JdbcTemplate jdbc;
    private final InstantSource clock;

    SampleStore(DataSource database, InstantSource clock) {
        this.jdbc = new JdbcTemplate(database);
        this.jdbc.setFetchSize(FETCH);
        this.clock = clock;
    }

    /** Adds all samples, or none if one is refused. */
    @Transactional
    public Intake add(long poolId, List<NewSample> samples) {
        Timestamp now = Timestamp.from(DatabaseTime.of(clock.instant()));
        int accepted = 0;
        for (int from = 0; from < samples.size(); from += BATCH) {
            SampleInsert insert = new SampleInsert(samples.subList(from, Math.min(from + BATCH, samples.size())));
            accepted += jdbc.execute((ConnectionCallback<Integer>) connection -> insert.run(connection, poolId, now));
        }
        return new Intake(accepted, samples.size() - accepted);
    }

    /**
     * Hands over the newest {@code limit} samples, oldest of them first, as of one moment. The rows come as a stream: the
     * database connection is held until the last one is taken.
     *
     * @return how many there were
     * @throws CorruptPayloadException if stored counts are not what was stored
     */
    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    public int forEachNewest(long poolId, Selection selection, int limit, Consumer<StoredSample> consumer) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1 but is " + limit);
        }
        int[] count = {0};
        jdbc.query(
                rows(selection),
                row -> {
                    consumer.accept(read(row));
                    count[0]++;
                },
                poolId,
                oldestOfNewest(poolId, selection, limit),
                limit);
        return count[0];
    }

    private long oldestOfNewest(long poolId, Selection selection, int limit) {
        return jdbc.queryForList(oldest(selection), Long.class, poolId, limit - 1).stream()
                .findFirst()
                .orElse(0L);
    }

    /** The oldest of the newest N of a pool, by the index alone; nothing where the pool has fewer than N. */
    static String oldest(Selection selection) {
        return "select id from sample where pool_id = ?" + filter(selection) + " order by id desc offset ? limit 1";
    }

    /** A pool's samples from an id on, up the index. */
    static String rows(Selection selection) {
        return "select id, request_id, label, prompt_tokens, decode_tokens, prefill, decode, source, created_at"
                + " from sample where pool_id = ? and id >= ?" + filter(selection) + " order by id limit ?";
    }

    private static String filter(Selection selection) {
        return switch (selection) {
            case ALL -> "";
            case WITH_DECODE -> " and decode is not null";
        };
    }

    private static StoredSample read(ResultSet row) throws SQLException {
        byte[] decode = row.getBytes("decode");
        Optional<DecodedTokens> decoded = decode == null
                ? Optional.empty()
                : Optional.of(new DecodedTokens(row.getInt("decode_tokens"), CountsPayload.decode(decode)));
        ExpertCounts prefill = CountsPayload.decode(row.getBytes("prefill"));
        return new StoredSample(
                row.getLong("id"),
                row.getString("request_id"),
                Optional.ofNullable(row.getString("label")),
                row.getInt("prompt_tokens"),
                prefill,
                decoded,
                SampleSource.of(row.getString("source")),
                row.getTimestamp("created_at").toInstant());
    }

    /** How many samples a pool has, counted no further than {@code limit}. */
    @Transactional(readOnly = true)
    public int countUpTo(long poolId, int limit) {
        int[] count = {0};
        jdbc.query(
                COUNT_UP_TO,
                row -> {
                    count[0] = row.getInt("n");
                },
                poolId,
                limit);
        return count[0];
    }

    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    public SampleSummary summary(long poolId) {
        Map<String, Long> labels = new HashMap<>();
        long[] totals = {0, 0};
        Instant[] newest = {Instant.MIN};
        jdbc.query(
                """
                select label, count(*) as n, count(decode_sha256) as decoded, max(created_at) as newest
                from sample where pool_id = ? group by label""",
                row -> {
                    totals[0] += row.getLong("n");
                    totals[1] += row.getLong("decoded");
                    Instant last = row.getTimestamp("newest").toInstant();
                    newest[0] = last.isAfter(newest[0]) ? last : newest[0];
                    String label = row.getString("label");
                    if (label != null) {
                        labels.put(label, row.getLong("n"));
                    }
                },
                poolId);
        return new SampleSummary(
                totals[0], totals[1], labels, totals[0] == 0 ? Optional.empty() : Optional.of(newest[0]));
    }
}
