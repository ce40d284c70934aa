package io.eldr.db.sample;

import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Deletes samples, oldest first, so many at a time: each call is a short transaction that holds no locks but those of its
 * rows. Whoever reads samples as of one moment, as {@link SampleStore#forEachNewest} does, still gets them.
 */
@Component
public class SampleRetention {
    private final JdbcTemplate jdbc;

    SampleRetention(DataSource database) {
        this.jdbc = new JdbcTemplate(database);
    }

    /** @return how many of the at most {@code limit} oldest samples that came in before {@code time} were deleted */
    @Transactional
    public int deleteOlderThan(long poolId, Instant time, int limit) {
        return jdbc.update(deleting(OLDER), poolId, Timestamp.from(time), limit);
    }

    /** The newest sample of the pool that has {@code keep} newer ones; empty where the pool has no more than that. */
    @Transactional(readOnly = true)
    public OptionalLong newestBeyond(long poolId, int keep) {
        return jdbc.queryForList(SampleStore.oldest(Selection.ALL), Long.class, poolId, keep).stream()
                .mapToLong(id -> id)
                .findFirst();
    }

    /** @return how many of the at most {@code limit} oldest samples up to the given one were deleted */
    @Transactional
    public int deleteUpTo(long poolId, long id, int limit) {
        return jdbc.update(deleting(UP_TO), poolId, id, limit);
    }

    /** Pools that were deleted and have samples still. */
    @Transactional(readOnly = true)
    public List<Long> deletedPools() {
        return jdbc.query("""
                select id from pool
                where deleted_at is not null and exists (select 1 from sample where sample.pool_id = pool.id)
                order by id""", (row, i) -> row.getLong("id"));
    }

    /** Up the index of ages. */
    static final String OLDER =
            "select ctid from sample where pool_id = ? and created_at < ? order by created_at limit ?";

    /** Up the primary key. */
    static final String UP_TO = "select ctid from sample where pool_id = ? and id <= ? order by id limit ?";

    /** Rows are found by their place: they never change, so it stays theirs, and no plan reads the whole table. */
    static String deleting(String places) {
        return "delete from sample where ctid = any(array(" + places + "))";
    }
}
