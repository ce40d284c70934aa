package io.eldr.router.intent;

import java.net.URI;
import java.net.URISyntaxException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/** This router's own rows in Postgres. */
final class JdbcReports implements RouterReports {

    private static final int MAX_REASON = 2_000;

    private final JdbcClient jdbc;
    private final TransactionTemplate atomically;
    private final String routerId;
    private final Optional<URI> url;
    private final Instant startedAt;

    JdbcReports(
            JdbcClient jdbc,
            PlatformTransactionManager transactions,
            String routerId,
            Optional<URI> url,
            Instant startedAt) {
        this.jdbc = jdbc;
        this.atomically = new TransactionTemplate(transactions);
        this.routerId = routerId;
        this.url = url;
        this.startedAt = startedAt;
    }

    @Override
    public void heartbeat(Instant now) {
        write(() -> jdbc.sql("""
                        insert into router_instance (id, url, started_at, last_seen) values (:id, :url, :started, :now)
                        on conflict (id) do update
                        set url = excluded.url, started_at = excluded.started_at,
                            last_seen = greatest(excluded.started_at, excluded.last_seen)""")
                .param("id", routerId)
                .param("url", url.map(URI::toString).orElse(null))
                .param("started", Timestamp.from(startedAt))
                .param("now", Timestamp.from(now.isBefore(startedAt) ? startedAt : now))
                .update());
    }

    /** A day is far more than clocks differ; whoever reads judges who lives. */
    @Override
    public List<RouterHeartbeat> heartbeats() {
        try {
            return jdbc.sql("""
                            select id, url, last_seen,
                                   greatest(extract(epoch from (now() - last_seen)), 0)::double precision as age
                            from router_instance
                            where last_seen > now() - interval '1 day'""")
                    .query((row, n) -> new RouterHeartbeat(
                            row.getString("id"),
                            url(row.getString("url")),
                            row.getTimestamp("last_seen").toInstant(),
                            Duration.ofMillis((long) (1_000 * row.getDouble("age")))))
                    .list();
        } catch (DataAccessException | TransactionException e) {
            throw new IntentUnavailableException("Heartbeats cannot be read: " + e.getMessage(), e);
        }
    }

    /** Other routers are reached over HTTP and at nothing else that may stand there. */
    private static Optional<URI> url(@Nullable String stored) {
        if (stored == null) {
            return Optional.empty();
        }
        try {
            URI url = new URI(stored);
            boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            return http && url.getHost() != null ? Optional.of(url) : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    @Override
    public void statuses(Collection<PoolStatus> statuses, Instant now) {
        write(() -> {
            jdbc.sql("delete from router_pool_status where router_id = :id and pool_id <> all (:pools)")
                    .param("id", routerId)
                    .param("pools", statuses.stream().map(PoolStatus::poolId).toArray(Long[]::new))
                    .update();
            for (PoolStatus status : statuses) {
                upsert(status, now);
            }
        });
    }

    private void upsert(PoolStatus status, Instant now) {
        jdbc.sql("""
                        insert into router_pool_status (router_id, pool_id, generation, artifact_version, source,
                                                        nack_generation, nack_reason, updated_at)
                        values (:id, :pool, :generation, :version, :source, :refused, :reason, :now)
                        on conflict (router_id, pool_id) do update
                        set generation = excluded.generation, artifact_version = excluded.artifact_version,
                            source = excluded.source, nack_generation = excluded.nack_generation,
                            nack_reason = excluded.nack_reason, updated_at = excluded.updated_at""")
                .param("id", routerId)
                .param("pool", status.poolId())
                .param(
                        "generation",
                        status.running().map(Activation::generation).orElse(null))
                .param("version", status.running().map(Activation::version).orElse(null))
                .param("source", status.source().name().toLowerCase(Locale.ROOT))
                .param(
                        "refused",
                        status.refused().map(PoolStatus.Refusal::generation).orElse(null))
                .param(
                        "reason",
                        status.refused()
                                .map(refusal -> shortened(refusal.reason()))
                                .orElse(null))
                .param("now", Timestamp.from(now))
                .update();
    }

    @Override
    public void observed(Collection<ObservedWorker> workers, Instant now) {
        write(() -> {
            for (ObservedWorker observed : workers) {
                upsert(observed, now);
            }
        });
    }

    private void upsert(ObservedWorker observed, Instant now) {
        jdbc.sql("""
                        insert into incarnation (pool_id, slot, uid, role, url, first_seen, last_seen, seen_by)
                        values (:pool, :slot, :uid, :role, :url, :now, :now, :router)
                        on conflict (pool_id, slot, uid) do update
                        set role = excluded.role, url = excluded.url,
                            last_seen = greatest(incarnation.last_seen, excluded.last_seen),
                            seen_by = excluded.seen_by""")
                .param("pool", observed.poolId())
                .param("slot", observed.worker().slot())
                .param("uid", observed.worker().uid())
                .param("role", observed.worker().role().name().toLowerCase(Locale.ROOT))
                .param("url", observed.worker().url())
                .param("now", Timestamp.from(now))
                .param("router", routerId)
                .update();
    }

    @Override
    public void withdraw() {
        write(() -> jdbc.sql("delete from router_instance where id = :id")
                .param("id", routerId)
                .update());
    }

    private void write(Runnable statements) {
        try {
            atomically.executeWithoutResult(status -> statements.run());
        } catch (DataAccessException | TransactionException e) {
            throw new IntentUnavailableException("Reports cannot be written: " + e.getMessage(), e);
        }
    }

    private static String shortened(String reason) {
        return reason.length() <= MAX_REASON ? reason : reason.substring(0, MAX_REASON);
    }
}
