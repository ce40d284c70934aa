package io.eldr.router.testing;

import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.db.testing.TestDatabase;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Writes intent into a database as calibration-service does, and reads what a router reports. */
public final class Registry {

    private final JdbcClient jdbc;
    private final Consumer<String> awaitGone;

    public Registry(TestDatabase database) {
        this(database, pool -> {});
    }

    /** @param awaitGone waits until the routers under test have left a pool that was deleted */
    Registry(TestDatabase database, Consumer<String> awaitGone) {
        this.jdbc = JdbcClient.create(database.dataSource());
        this.awaitGone = awaitGone;
    }

    public JdbcClient jdbc() {
        return jdbc;
    }

    /** Makes a pool. One of this name that is there, as where a test is tried again, is deleted first. */
    public void pool(String name) {
        pool(name, Fixtures.MODEL);
    }

    public void pool(String name, ModelIdentity model) {
        int deleted = jdbc.sql("update pool set deleted_at = now() where name = :name and deleted_at is null")
                .param("name", name)
                .update();
        if (deleted > 0) {
            awaitGone.accept(name);
        }
        jdbc.sql("""
                        insert into pool (name, model, revision, layers, experts, top_k, created_at, updated_at)
                        values (:name, :model, nullif(:revision, ''), :layers, :experts, :topK, now(), now())""")
                .param("name", name)
                .param("model", model.name())
                .param("revision", model.revision())
                .param("layers", model.geometry().layers())
                .param("experts", model.geometry().experts())
                .param("topK", model.geometry().topK())
                .update();
    }

    /** Sets one column of a pool. */
    public void set(String pool, String column, Object value) {
        jdbc.sql("update pool set " + column + " = :value where name = :pool and deleted_at is null")
                .param("value", value)
                .param("pool", pool)
                .update();
    }

    public void decoders(String pool, int count) {
        for (String slot : Fixtures.slots(count)) {
            worker(pool, slot, "http://127.0.0.1:1/" + slot, "none");
        }
    }

    public void worker(String pool, String slot, String url, String probe) {
        worker(pool, slot, "decode", url, probe, "");
    }

    /** A worker that says which model revision it runs. */
    public void worker(String pool, String slot, String role, String url, String probe, String revision) {
        jdbc.sql("""
                        insert into worker (pool_id, slot, role, url, probe, revision, source, created_at, updated_at)
                        values ((select id from pool where name = :pool and deleted_at is null), :slot, :role, :url,
                                :probe, nullif(:revision, ''), 'registered', now(), now())""")
                .param("pool", pool)
                .param("slot", slot)
                .param("role", role)
                .param("url", url)
                .param("probe", probe)
                .param("revision", revision)
                .update();
    }

    /** A prefill worker of a pool. */
    public void prefiller(String pool, String slot, String url, String probe) {
        worker(pool, slot, "prefill", url, probe, "");
    }

    public void aliases(String pool, String... aliases) {
        set(pool, "aliases", aliases);
    }

    public void setWorker(String pool, String slot, String column, Object value) {
        jdbc.sql("update worker set " + column + " = :value where slot = :slot and pool_id ="
                        + " (select id from pool where name = :pool and deleted_at is null)")
                .param("value", value)
                .param("slot", slot)
                .param("pool", pool)
                .update();
    }

    public void removeWorker(String pool, String slot) {
        jdbc.sql("delete from worker where slot = :slot and pool_id ="
                        + " (select id from pool where name = :pool and deleted_at is null)")
                .param("slot", slot)
                .param("pool", pool)
                .update();
    }

    public void publish(String pool, int version, RoutingArtifact artifact) {
        publish(pool, version, artifact, ArtifactCodec.encode(artifact));
    }

    /** Publishes these bytes, whatever they are, as that artifact. */
    public void publish(String pool, int version, RoutingArtifact artifact, byte[] content) {
        jdbc.sql("""
                        insert into artifact (pool_id, version, content, sha256, size_bytes, model, layers, experts,
                                              top_k, representation, mask, slots, recommended_tau, created_at,
                                              created_by)
                        values ((select id from pool where name = :pool and deleted_at is null), :version, :content,
                                sha256(:content), octet_length(:content), :model, :layers, :experts, :topK,
                                :representation, :mask, :slots, :tau, now(), 'test')""")
                .param("pool", pool)
                .param("version", version)
                .param("content", content)
                .param("model", artifact.model().name())
                .param("layers", artifact.model().geometry().layers())
                .param("experts", artifact.model().geometry().experts())
                .param("topK", artifact.model().geometry().topK())
                .param("representation", artifact.spec().representation().id())
                .param(
                        "mask",
                        java.util.Arrays.stream(artifact.spec().mask().toArray())
                                .boxed()
                                .toArray(Integer[]::new))
                .param("slots", artifact.slots().toArray(String[]::new))
                .param("tau", artifact.recommendedTau())
                .update();
    }

    /** Activates a version under the next generation. */
    public long activate(String pool, int version) {
        return jdbc.sql("""
                        insert into activation (pool_id, generation, version, kind, actor, activated_at)
                        select p.id, coalesce(max(a.generation), 0) + 1, :version,
                               case when max(a.version) > :version then 'rollback' else 'activate' end, 'test', :now
                        from pool p left join activation a on a.pool_id = p.id
                        where p.name = :pool and p.deleted_at is null group by p.id
                        returning generation""")
                .param("pool", pool)
                .param("version", version)
                .param("now", Timestamp.from(Instant.now()))
                .query(Long.class)
                .single();
    }

    /** A pool with decoders and a first artifact under generation 1. */
    public RoutingArtifact servingPool(String pool, int decoders) {
        pool(pool);
        decoders(pool, decoders);
        RoutingArtifact artifact = Fixtures.artifact(1, decoders);
        publish(pool, 1, artifact);
        activate(pool, 1);
        return artifact;
    }

    /** What routers report of a pool. */
    public List<Map<String, Object>> statuses(String pool) {
        return jdbc.sql("""
                        select s.* from router_pool_status s join pool p on p.id = s.pool_id
                        where p.name = :pool and p.deleted_at is null""").param("pool", pool).query().listOfRows();
    }
}
