package io.eldr.db.sample;

import java.util.OptionalLong;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Counts what came in since a sample, up the index and no further than asked. */
@Component
public class NewSamples {
    private final JdbcClient jdbc;

    NewSamples(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** How many samples of a pool have a larger id, counted no further than {@code limit}. */
    @Transactional(readOnly = true)
    public int countUpTo(long poolId, long id, int limit) {
        return jdbc.sql("""
                        select count(*) from (
                            select 1 from sample where pool_id = :pool and id > :id limit :limit) as counted""")
                .param("pool", poolId)
                .param("id", id)
                .param("limit", limit)
                .query(Integer.class)
                .single();
    }

    /** How many of the newest {@code limit} samples of a pool came in from live traffic. */
    @Transactional(readOnly = true)
    public int onlineAmongNewest(long poolId, int limit) {
        return jdbc.sql("""
                        select count(*) from (
                            select source from sample where pool_id = :pool order by id desc limit :limit) as newest
                        where source = :source""")
                .param("pool", poolId)
                .param("source", SampleSource.ONLINE.code())
                .param("limit", limit)
                .query(Integer.class)
                .single();
    }

    /** The largest id of a pool's samples; empty where it has none. */
    @Transactional(readOnly = true)
    public OptionalLong newest(long poolId) {
        return jdbc.sql("select id from sample where pool_id = :pool order by id desc limit 1")
                .param("pool", poolId)
                .query(Long.class)
                .optional()
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }
}
