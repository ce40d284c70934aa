package io.eldr.db.drift;

import io.eldr.core.drift.DriftState;
import io.eldr.core.drift.DriftVerdict;
import io.eldr.core.drift.ObservationWindow;
import io.eldr.db.mapping.DatabaseTime;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Keeps what routers observe. A pool's row is locked while something is added, so that several replicas can take posts. */
@Component
public class DriftStore {
    private static final int KEPT_WINDOWS = 5_000;
    /** A run of a router that was not heard of for so long will not repeat a post. */
    private static final Duration KEPT_SOURCES = Duration.ofDays(2);

    private final JdbcClient jdbc;

    DriftStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * The pool's row, locked until the end of the transaction.
     *
     * @param begun what to begin with where there is none yet
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public DriftWatch lock(DriftWatch begun) {
        write("""
                insert into drift_watch (pool_id, generation, version, requests, without_signature, nearest,
                                         similarities, similarity_sum, spilled, singleton_bands, started_at, in_row,
                                         alarm, alarm_since, refit_requested)
                values (:pool, :generation, :version, :requests, :withoutSignature, :nearest, :similarities, :sum,
                        :spilled, :singletonBands, :startedAt, :inRow, :alarm, :alarmSince, :refitRequested)
                on conflict (pool_id) do nothing""", begun);
        return jdbc.sql("select * from drift_watch where pool_id = :pool for update")
                .param("pool", begun.poolId())
                .query((row, i) -> watch(row))
                .single();
    }

    /** The pool's row as it is; empty before the first post. */
    @Transactional(readOnly = true)
    public Optional<DriftWatch> find(long poolId) {
        return jdbc.sql("select * from drift_watch where pool_id = :pool")
                .param("pool", poolId)
                .query((row, i) -> watch(row))
                .optional();
    }

    /** Writes the row that is locked. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void save(DriftWatch watch) {
        write("""
                update drift_watch
                set generation = :generation, version = :version, requests = :requests,
                    without_signature = :withoutSignature, nearest = :nearest, similarities = :similarities,
                    similarity_sum = :sum, spilled = :spilled, singleton_bands = :singletonBands,
                    started_at = :startedAt, in_row = :inRow, alarm = :alarm, alarm_since = :alarmSince,
                    refit_requested = :refitRequested
                where pool_id = :pool""", watch);
    }

    /** A refit was asked for because of the alarm under this generation, if there still is one. */
    @Transactional
    public void refitRequested(long poolId, long generation) {
        jdbc.sql("""
                        update drift_watch set refit_requested = true
                        where pool_id = :pool and generation = :generation and alarm""").param("pool", poolId).param("generation", generation).update();
    }

    /** Notes a post; false if it came before, and then nothing is noted. */
    @Transactional(propagation = Propagation.MANDATORY)
    public boolean isNew(long poolId, String router, long sequence, Instant now) {
        return jdbc.sql("""
                        insert into observation_source as known (pool_id, router, last_sequence, last_seen)
                        values (:pool, :router, :sequence, :now)
                        on conflict (pool_id, router) do update
                            set last_sequence = excluded.last_sequence, last_seen = excluded.last_seen
                            where known.last_sequence < excluded.last_sequence""")
                        .param("pool", poolId)
                        .param("router", router)
                        .param("sequence", sequence)
                        .param("now", timestamp(now))
                        .update()
                > 0;
    }

    /** Adds a full window, and forgets the oldest ones and routers that are long gone. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void add(long poolId, JudgedWindow window) {
        DriftVerdict verdict = window.verdict();
        jdbc.sql("""
                        insert into observation_window
                            (pool_id, generation, version, started_at, ended_at, requests, without_signature_share, psi,
                             psi_threshold, ks, ks_threshold, mean_similarity, held_out_similarity, mix_shift,
                             new_content, hottest_cluster, hottest_slot, hottest_share, hottest_held_out_share,
                             spill_rate, singleton_band_share, alarm)
                        values (:pool, :generation, :version, :startedAt, :endedAt, :requests, :withoutSignature, :psi,
                                :psiThreshold, :ks, :ksThreshold, :mean, :heldOut, :mixShift, :newContent, :cluster,
                                :slot, :share, :heldOutShare, :spill, :singleton, :alarm)""")
                .param("pool", poolId)
                .param("generation", window.generation())
                .param("version", window.version())
                .param("startedAt", timestamp(window.startedAt()))
                .param("endedAt", timestamp(window.endedAt()))
                .param("requests", window.requests())
                .param("withoutSignature", verdict.withoutSignatureShare())
                .param("psi", verdict.psi())
                .param("psiThreshold", verdict.psiThreshold())
                .param("ks", verdict.ks())
                .param("ksThreshold", verdict.ksThreshold())
                .param("mean", verdict.meanSimilarity())
                .param("heldOut", verdict.heldOutMeanSimilarity())
                .param("mixShift", verdict.mixShift())
                .param("newContent", verdict.newContent())
                .param("cluster", verdict.hottestCluster())
                .param("slot", window.hottestSlot())
                .param("share", verdict.hottestShare())
                .param("heldOutShare", verdict.hottestHeldOutShare())
                .param("spill", verdict.spillRate())
                .param("singleton", verdict.singletonBandShare())
                .param("alarm", window.alarm())
                .update();
        jdbc.sql("""
                        delete from observation_window where pool_id = :pool and id <=
                            (select id from observation_window where pool_id = :pool order by id desc
                             offset :kept limit 1)""").param("pool", poolId).param("kept", KEPT_WINDOWS).update();
        jdbc.sql("delete from observation_source where pool_id = :pool and last_seen < :before")
                .param("pool", poolId)
                .param("before", timestamp(window.endedAt().minus(KEPT_SOURCES)))
                .update();
    }

    /** The newest full windows of a pool, newest first. */
    @Transactional(readOnly = true)
    public List<JudgedWindow> newest(long poolId, int limit) {
        return jdbc.sql("select * from observation_window where pool_id = :pool order by id desc limit :limit")
                .param("pool", poolId)
                .param("limit", limit)
                .query((row, i) -> judged(row))
                .list();
    }

    /** What the newest window of every pool says of the generation that serves it. */
    @Transactional(readOnly = true)
    public List<Standing> standings() {
        return jdbc.sql("""
                        select p.name, w.psi, w.ks, d.alarm
                        from pool p
                                 join drift_watch d on d.pool_id = p.id
                                 join lateral (select psi, ks, generation from observation_window
                                               where pool_id = p.id order by id desc limit 1) w
                                      on w.generation = d.generation
                        where p.deleted_at is null
                          and d.generation = (select max(generation) from activation where pool_id = p.id)""")
                .query((row, i) -> new Standing(
                        row.getString("name"), row.getDouble("psi"), row.getDouble("ks"), row.getBoolean("alarm")))
                .list();
    }

    /** The newest figures of a pool. */
    public record Standing(String pool, double psi, double ks, boolean alarm) {}

    private void write(String sql, DriftWatch watch) {
        ObservationWindow window = watch.window();
        jdbc.sql(sql)
                .param("pool", watch.poolId())
                .param("generation", watch.generation())
                .param("version", watch.version())
                .param("requests", window.requests())
                .param("withoutSignature", window.withoutSignature())
                .param("nearest", window.nearest().toArray(Long[]::new))
                .param("similarities", window.similarities().toArray(Long[]::new))
                .param("sum", window.similaritySum())
                .param("spilled", window.spilled())
                .param("singletonBands", window.singletonBands())
                .param("startedAt", timestamp(watch.startedAt()))
                .param("inRow", watch.state().inRow())
                .param("alarm", watch.state().alarm())
                .param(
                        "alarmSince",
                        watch.alarmSince().map(DriftStore::timestamp).orElse(null),
                        Types.TIMESTAMP)
                .param("refitRequested", watch.refitRequested())
                .update();
    }

    private static DriftWatch watch(ResultSet row) throws SQLException {
        return new DriftWatch(
                row.getLong("pool_id"),
                row.getLong("generation"),
                row.getInt("version"),
                new ObservationWindow(
                        row.getLong("requests"),
                        row.getLong("without_signature"),
                        longs(row, "nearest"),
                        longs(row, "similarities"),
                        row.getDouble("similarity_sum"),
                        row.getLong("spilled"),
                        row.getLong("singleton_bands")),
                instant(row, "started_at"),
                new DriftState(row.getInt("in_row"), row.getBoolean("alarm")),
                optionalInstant(row, "alarm_since"),
                row.getBoolean("refit_requested"));
    }

    private static JudgedWindow judged(ResultSet row) throws SQLException {
        return new JudgedWindow(
                row.getLong("generation"),
                row.getInt("version"),
                instant(row, "started_at"),
                instant(row, "ended_at"),
                row.getLong("requests"),
                row.getString("hottest_slot"),
                new DriftVerdict(
                        row.getDouble("psi"),
                        row.getDouble("psi_threshold"),
                        row.getDouble("ks"),
                        row.getDouble("ks_threshold"),
                        row.getDouble("mean_similarity"),
                        row.getDouble("held_out_similarity"),
                        row.getBoolean("mix_shift"),
                        row.getBoolean("new_content"),
                        row.getInt("hottest_cluster"),
                        row.getDouble("hottest_share"),
                        row.getDouble("hottest_held_out_share"),
                        row.getDouble("spill_rate"),
                        row.getDouble("singleton_band_share"),
                        row.getDouble("without_signature_share")),
                row.getBoolean("alarm"));
    }

    private static List<Long> longs(ResultSet row, String column) throws SQLException {
        return List.of((Long[]) row.getArray(column).getArray());
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getTimestamp(column).toInstant();
    }

    private static Optional<Instant> optionalInstant(ResultSet row, String column) throws SQLException {
        @Nullable Timestamp time = row.getTimestamp(column);
        return Optional.ofNullable(time).map(Timestamp::toInstant);
    }

    private static Timestamp timestamp(Instant instant) {
        return Timestamp.from(DatabaseTime.of(instant));
    }
}
