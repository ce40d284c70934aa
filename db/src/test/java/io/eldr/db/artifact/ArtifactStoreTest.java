package io.eldr.db.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eldr.core.signature.Representation;
import io.eldr.db.RegistryTest;
import io.eldr.db.audit.Actor;
import io.eldr.db.pool.Pool;
import io.eldr.db.refit.RefitRun;
import io.eldr.db.refit.RefitRunRepository;
import io.eldr.db.refit.RefitTrigger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;

class ArtifactStoreTest extends RegistryTest {
    @Autowired
    private ArtifactStore store;

    @Autowired
    private ArtifactRepository artifacts;

    @Autowired
    private RefitRunRepository refits;

    @Test
    void numbersVersionsFromOneInEachPool() {
        long pool = newPool().id();
        assertThat(publish(pool, artifactFor("a")).version()).isEqualTo(1);
        assertThat(publish(pool, artifactFor("b")).version()).isEqualTo(2);
        assertThat(publish(newPool().id(), artifactFor("c")).version()).isEqualTo(1);
        assertThat(artifacts.findByPoolIdOrderByVersionDesc(pool))
                .extracting(Artifact::version)
                .containsExactly(2, 1);
    }

    @Test
    void readsBackWhatWasPublished() {
        long pool = newPool().id();
        long refit = refits.save(new RefitRun(pool, RefitTrigger.MANUAL, false, "{}", Actor.of("tester"), NOON))
                .id();
        NewArtifact fresh = artifactFor("decoder-0");
        clock.set(NOON);
        publish(
                pool,
                new NewArtifact(
                        fresh.artifact(),
                        fresh.content(),
                        true,
                        Optional.of("{\"rho\": 0.8}"),
                        OptionalLong.of(refit),
                        "olga"));

        Artifact read = artifacts.findByPoolIdAndVersion(pool, 1).orElseThrow();
        assertThat(read.model()).isEqualTo(fresh.artifact().model());
        assertThat(read.representation()).isEqualTo(Representation.COUNT);
        assertThat(read.mask()).containsExactly(1);
        assertThat(read.slots()).containsExactly("decoder-0");
        assertThat(read.recommendedTau()).isEqualTo(0.1);
        assertThat(read.uncalibrated()).isTrue();
        assertThat(read.report()).contains("{\"rho\": 0.8}");
        assertThat(read.refitRunId()).hasValue(refit);
        assertThat(read.createdAt()).isEqualTo(NOON);
        assertThat(read.createdBy()).isEqualTo("olga");
        assertThat(read.sha256()).isEqualTo(fresh.content().sha256());
        assertThat(read.sizeBytes()).isEqualTo(9);
        assertThat(store.content(pool, 1)).contains(fresh.content());
        assertThat(store.content(pool, 2)).isEmpty();
    }

    @Test
    void publishesNothingInADeletedPool() {
        Pool pool = newPool();
        pool.delete(NOON);
        pools.save(pool);
        assertThat(store.publish(pool.id(), artifactFor("a"))).isEmpty();
    }

    @Test
    void numbersWithoutGapsWhenManyPublishAtOnce() throws InterruptedException, ExecutionException {
        long pool = newPool().id();
        List<Callable<Integer>> publishers = IntStream.range(0, 16)
                .<Callable<Integer>>mapToObj(
                        i -> () -> publish(pool, artifactFor("s" + i)).version())
                .toList();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Integer> versions = threads.invokeAll(publishers).stream()
                    .map(Future::resultNow)
                    .sorted()
                    .toList();
            assertThat(versions).isEqualTo(IntStream.rangeClosed(1, 16).boxed().toList());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update artifact set created_by = 'x'",
                "update artifact set report = '{}'",
                "delete from artifact",
                "truncate artifact cascade"
            })
    void neverChangesOrLosesAnArtifact(String sql) {
        publish(newPool().id(), artifactFor("a"));
        assertThatExceptionOfType(DataIntegrityViolationException.class)
                .isThrownBy(() -> jdbc.sql(sql).update())
                .withMessageContaining("is not allowed");
    }

    @Test
    void refusesContentThatDoesNotMatchItsDigest() {
        long pool = newPool().id();
        publish(pool, artifactFor("a"));
        assertThatExceptionOfType(DataIntegrityViolationException.class)
                .isThrownBy(() -> jdbc.sql("""
                        insert into artifact (pool_id, version, content, sha256, size_bytes, model, layers, experts, top_k,
                            representation, mask, slots, recommended_tau, created_at, created_by)
                        select pool_id, 2, content || '\\x00', sha256, size_bytes + 1, model, layers, experts, top_k,
                            representation, mask, slots, recommended_tau, created_at, created_by
                        from artifact where pool_id = ?""").param(pool).update());
    }

    private Artifact publish(long pool, NewArtifact fresh) {
        return store.publish(pool, fresh).orElseThrow();
    }
}
