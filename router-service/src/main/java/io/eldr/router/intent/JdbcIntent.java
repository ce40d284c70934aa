package io.eldr.router.intent;

import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.zip.CRC32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/** Reads intent and artifacts from Postgres, in three statements on one snapshot of the database. */
final class JdbcIntent implements IntentSource {

    private static final Logger log = LoggerFactory.getLogger(JdbcIntent.class);

    private static final String POOLS = """
            select id, name, model, revision, layers, experts, top_k, aliases, policy, tau, min_candidates,
                   hot_factor, hot_min_excess, hot_kv_cap, shadow_policy, shadow_tau,
                   switchback_first, switchback_second, switchback_minutes, sampling_rate,
                   dialect, engine_model, adapters
            from pool
            where deleted_at is null
            order by name collate "C"
            """;

    /** In the order of slot names by code point, as every router must have them. */
    private static final String WORKERS = """
            select w.id, w.pool_id, w.slot, w.role, w.url, w.weight, w.max_in_flight, w.probe, w.revision, w.desired_state
            from worker w
            join pool p on p.id = w.pool_id
            where p.deleted_at is null
            order by w.pool_id, w.slot collate "C"
            """;

    /** The current ones: one index entry for each pool, however long its history. */
    private static final String ACTIVATIONS = """
            select p.id as pool_id, a.generation, a.version, encode(r.sha256, 'hex') as sha256
            from pool p
            cross join lateral (
                select generation, version
                from activation
                where pool_id = p.id
                order by generation desc
                limit 1) a
            join artifact r on r.pool_id = p.id and r.version = a.version
            where p.deleted_at is null
            """;

    private static final String ARTIFACT = """
            select content, encode(sha256, 'hex') as sha256
            from artifact
            where pool_id = :pool and version = :version
            """;

    private final JdbcClient jdbc;
    private final TransactionTemplate consistently;

    JdbcIntent(JdbcClient jdbc, PlatformTransactionManager transactions) {
        this.jdbc = jdbc;
        consistently = new TransactionTemplate(transactions);
        consistently.setReadOnly(true);
        consistently.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
    }

    @Override
    public Intent read() {
        try {
            return consistently.execute(status -> readAll());
        } catch (DataAccessException | TransactionException e) {
            throw new IntentUnavailableException("Intent cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public Optional<StoredArtifact> artifact(long poolId, int version) {
        try {
            return jdbc.sql(ARTIFACT)
                    .param("pool", poolId)
                    .param("version", version)
                    .query((row, n) -> new StoredArtifact(row.getBytes("content"), row.getString("sha256")))
                    .optional();
        } catch (DataAccessException e) {
            throw new IntentUnavailableException("Artifact cannot be read: " + e.getMessage(), e);
        }
    }

    private Intent readAll() {
        Map<Long, List<WorkerIntent>> workers = workers();
        Map<Long, Activation> activations = activations();
        List<PoolIntent> pools = new ArrayList<>();
        jdbc.sql(POOLS).query(row -> {
            long id = row.getLong("id");
            try {
                pools.add(pool(row, workers.getOrDefault(id, List.of()), Optional.ofNullable(activations.get(id))));
            } catch (InvalidInputException e) {
                log.error("Pool {} is left out: {}", row.getString("name"), e.getMessage());
            }
        });
        return new Intent(pools);
    }

    private Map<Long, List<WorkerIntent>> workers() {
        Map<Long, List<WorkerIntent>> workers = new HashMap<>();
        jdbc.sql(WORKERS).query(row -> {
            try {
                WorkerIntent worker = worker(row);
                workers.computeIfAbsent(row.getLong("pool_id"), id -> new ArrayList<>())
                        .add(worker);
            } catch (IllegalArgumentException e) {
                log.error("Worker {} is left out: {}", row.getString("slot"), e.getMessage());
            }
        });
        return workers;
    }

    private Map<Long, Activation> activations() {
        Map<Long, Activation> activations = new HashMap<>();
        jdbc.sql(ACTIVATIONS).query(row -> {
            activations.put(
                    row.getLong("pool_id"),
                    new Activation(row.getLong("generation"), row.getInt("version"), row.getString("sha256")));
        });
        return activations;
    }

    private static PoolIntent pool(ResultSet row, List<WorkerIntent> workers, Optional<Activation> activation)
            throws SQLException {
        Geometry geometry = new Geometry(row.getInt("layers"), row.getInt("experts"), row.getInt("top_k"));
        String revision = Optional.ofNullable(row.getString("revision")).orElse("");
        return new PoolIntent(
                row.getLong("id"),
                row.getString("name"),
                new ModelIdentity(row.getString("model"), revision, geometry),
                row.getString("policy"),
                number(row, "tau"),
                integer(row, "min_candidates"),
                workers,
                activation,
                TrialColumns.hot(row),
                TrialColumns.shadow(row),
                TrialColumns.switchback(row),
                Optional.of(names(row, "aliases")),
                Optional.of(row.getDouble("sampling_rate")),
                Optional.of(new EngineIntent(
                        EngineIntent.Dialect.of(row.getString("dialect")),
                        Optional.ofNullable(row.getString("engine_model")),
                        names(row, "adapters"))));
    }

    private static List<String> names(ResultSet row, String column) throws SQLException {
        return List.of((String[]) row.getArray(column).getArray());
    }

    private static WorkerIntent worker(ResultSet row) throws SQLException {
        String url = row.getString("url");
        return new WorkerIntent(
                row.getString("slot"),
                uid(row.getLong("id"), url),
                WorkerIntent.Role.valueOf(row.getString("role").toUpperCase(Locale.ROOT)),
                url,
                row.getDouble("weight"),
                integer(row, "max_in_flight"),
                WorkerIntent.Probe.valueOf(row.getString("probe").toUpperCase(Locale.ROOT)),
                row.getString("desired_state").equals("draining"),
                Optional.ofNullable(row.getString("revision")));
    }

    /**
     * A registration names no process, so its incarnation is what can be seen to change: the row (deleted and registered
     * again) and where it points. A drain or another weight leaves it the same, and with it what is in flight.
     */
    private static String uid(long id, String url) {
        CRC32 checksum = new CRC32();
        checksum.update(url.getBytes(StandardCharsets.UTF_8));
        return "registration-%d-%08x".formatted(id, checksum.getValue());
    }

    static OptionalDouble number(ResultSet row, String column) throws SQLException {
        double value = row.getDouble(column);
        return row.wasNull() ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    static OptionalInt integer(ResultSet row, String column) throws SQLException {
        int value = row.getInt(column);
        return row.wasNull() ? OptionalInt.empty() : OptionalInt.of(value);
    }
}
