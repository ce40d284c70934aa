package io.eldr.db.artifact;

import io.eldr.db.mapping.Checks;
import io.eldr.db.mapping.DatabaseTime;
import io.eldr.db.pool.PoolRepository;
import java.sql.Timestamp;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Publishes artifacts and gives their content back. Versions count 1, 2, .. per pool, under the pool's lock. */
@Component
public class ArtifactStore {
    private static final String INSERT = """
            insert into artifact (pool_id, version, content, sha256, size_bytes, model, model_revision, layers, experts,
                                  top_k, representation, mask, slots, recommended_tau, uncalibrated, report,
                                  refit_run_id, created_at, created_by)
            select :pool, coalesce(max(version), 0) + 1, :content, :sha256, :size, :model, :revision, :layers, :experts,
                   :topK, :representation, :mask, :slots, :tau, :uncalibrated, cast(:report as jsonb),
                   cast(:refit as bigint), :at, :by
            from artifact
            where pool_id = :pool
            returning version""";

    private final JdbcClient jdbc;
    private final ArtifactRepository artifacts;
    private final PoolRepository pools;
    private final InstantSource clock;

    ArtifactStore(JdbcClient jdbc, ArtifactRepository artifacts, PoolRepository pools, InstantSource clock) {
        this.jdbc = jdbc;
        this.artifacts = artifacts;
        this.pools = pools;
        this.clock = clock;
    }

    /**
     * Publishes under the pool's next version.
     *
     * @return what was published; empty if there is no such pool, or it was deleted
     */
    @Transactional
    public Optional<Artifact> publish(long poolId, NewArtifact fresh) {
        return pools.lock(poolId).flatMap(locked -> artifacts.findByPoolIdAndVersion(poolId, insert(poolId, fresh)));
    }

    private int insert(long poolId, NewArtifact fresh) {
        var artifact = fresh.artifact();
        var geometry = artifact.model().geometry();
        return jdbc.sql(INSERT)
                .param("pool", poolId)
                .param("content", fresh.content().bytes())
                .param("sha256", fresh.content().digest())
                .param("size", fresh.content().size())
                .param("model", artifact.model().name())
                .param("revision", nullIfEmpty(artifact.model().revision()))
                .param("layers", geometry.layers())
                .param("experts", geometry.experts())
                .param("topK", geometry.topK())
                .param("representation", artifact.spec().representation().id())
                .param("mask", boxed(artifact.spec().mask().toArray()))
                .param("slots", artifact.slots().toArray(String[]::new))
                .param("tau", artifact.recommendedTau())
                .param("uncalibrated", fresh.uncalibrated())
                .param("report", fresh.report().orElse(null))
                .param(
                        "refit",
                        fresh.refitRunId().isPresent() ? fresh.refitRunId().getAsLong() : null)
                .param("at", Timestamp.from(DatabaseTime.of(clock.instant())))
                .param("by", Checks.text("createdBy", fresh.createdBy(), 200))
                .query(Integer.class)
                .single();
    }

    /** The binary form of a version. */
    @Transactional(readOnly = true)
    public Optional<ArtifactContent> content(long poolId, int version) {
        return jdbc.sql("select content from artifact where pool_id = :pool and version = :version")
                .param("pool", poolId)
                .param("version", version)
                .query((row, i) -> ArtifactContent.of(row.getBytes("content")))
                .optional();
    }

    private static @Nullable String nullIfEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    private static Integer[] boxed(int[] values) {
        return Arrays.stream(values).boxed().toArray(Integer[]::new);
    }
}
