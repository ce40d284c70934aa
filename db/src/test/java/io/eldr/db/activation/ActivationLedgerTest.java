package io.eldr.db.activation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eldr.db.RegistryTest;
import io.eldr.db.activation.ActivationOutcome.Activated;
import io.eldr.db.activation.ActivationOutcome.AlreadyActive;
import io.eldr.db.activation.ActivationOutcome.NothingBefore;
import io.eldr.db.activation.ActivationOutcome.UnknownPool;
import io.eldr.db.activation.ActivationOutcome.UnknownVersion;
import io.eldr.db.artifact.ArtifactStore;
import io.eldr.db.audit.Actor;
import io.eldr.db.pool.Pool;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;

class ActivationLedgerTest extends RegistryTest {
    private static final Actor OLGA = new Actor("olga", Optional.of("admin-ui"));

    @Autowired
    private ActivationLedger ledger;

    @Autowired
    private ArtifactStore artifacts;

    @Test
    void givesEachActivationAndRollbackTheNextGeneration() {
        long pool = poolWithVersions(2).id();
        Activation first = activate(pool, 1, NOON);
        Activation second = activate(pool, 2, NOON.plusSeconds(10));
        Activation third = rollBack(pool, OptionalInt.empty(), NOON.plusSeconds(20));

        assertThat(List.of(first.generation(), second.generation(), third.generation()))
                .containsExactly(1L, 2L, 3L);
        assertThat(third.version()).isEqualTo(1);
        assertThat(third.kind()).isEqualTo(ActivationKind.ROLLBACK);
        assertThat(third.actor()).isEqualTo(OLGA);
        assertThat(third.reason()).contains("why");
        assertThat(ledger.current(pool)).get().usingRecursiveComparison().isEqualTo(third);
        assertThat(ledger.history(pool, 2)).extracting(Activation::generation).containsExactly(3L, 2L);
    }

    @Test
    void goesFurtherBackWithEachRollbackAndNeverReturnsToWhatWasRolledBack() {
        long pool = poolWithVersions(3).id();
        activate(pool, 1, NOON);
        activate(pool, 2, NOON);
        activate(pool, 3, NOON);
        assertThat(rollBack(pool, OptionalInt.empty(), NOON).version()).isEqualTo(2);
        assertThat(rollBack(pool, OptionalInt.empty(), NOON).version()).isEqualTo(1);
        assertThat(ledger.rollBack(pool, OptionalInt.empty(), OLGA, Optional.empty()))
                .isEqualTo(new NothingBefore());
        assertThat(rollBack(pool, OptionalInt.of(3), NOON).version()).isEqualTo(3);
        activate(pool, 1, NOON);
        assertThat(rollBack(pool, OptionalInt.empty(), NOON).version())
                .as("an activation goes back to what was served before it")
                .isEqualTo(3);
    }

    @Test
    void tellsWhatWasActiveAtAnyTime() {
        long pool = poolWithVersions(3).id();
        activate(pool, 1, NOON);
        activate(pool, 3, NOON.plusSeconds(10));
        activate(pool, 2, NOON.plusSeconds(10));

        assertThat(ledger.activeAt(pool, NOON.minusNanos(1_000))).isEmpty();
        assertThat(versionAt(pool, NOON)).isEqualTo(1);
        assertThat(versionAt(pool, NOON.plusSeconds(10).minusNanos(1_000))).isEqualTo(1);
        assertThat(versionAt(pool, NOON.plusSeconds(10))).isEqualTo(2);
        assertThat(versionAt(pool, NOON.plus(Duration.ofDays(400)))).isEqualTo(2);
    }

    @Test
    void neverLetsTimeRunBackwardsWhenAReplicasClockIsBehind() {
        long pool = poolWithVersions(2).id();
        activate(pool, 1, NOON);
        Activation late = activate(pool, 2, NOON.minusSeconds(30));
        assertThat(late.activatedAt()).isEqualTo(NOON);
        assertThat(versionAt(pool, NOON)).isEqualTo(2);
    }

    @Test
    void saysWhenThereIsNothingToDo() {
        Pool pool = poolWithVersions(1);
        assertThat(ledger.rollBack(pool.id(), OptionalInt.empty(), OLGA, Optional.empty()))
                .isEqualTo(new NothingBefore());
        Activation first = activate(pool.id(), 1, NOON);
        assertThat(ledger.activate(pool.id(), 1, OLGA, Optional.empty()))
                .isInstanceOfSatisfying(
                        AlreadyActive.class,
                        outcome -> assertThat(outcome.current().generation()).isEqualTo(first.generation()));
        assertThat(ledger.activate(pool.id(), 2, OLGA, Optional.empty())).isEqualTo(new UnknownVersion(2));
        assertThat(ledger.rollBack(pool.id(), OptionalInt.empty(), OLGA, Optional.empty()))
                .isEqualTo(new NothingBefore());
        assertThat(ledger.history(pool.id(), 10)).hasSize(1);

        pool.delete(NOON);
        pools.save(pool);
        assertThat(ledger.activate(pool.id(), 1, OLGA, Optional.empty())).isEqualTo(new UnknownPool());
        assertThat(ledger.activate(-1, 1, OLGA, Optional.empty())).isEqualTo(new UnknownPool());
    }

    @Test
    void goesOnCountingWhenAPoolOfTheSameNameFollowsADeletedOne() {
        Pool old = poolWithVersions(2);
        activate(old.id(), 1, NOON);
        activate(old.id(), 2, NOON);
        old.delete(NOON);
        pools.save(old);

        Pool successor = pools.save(new Pool(old.name(), "m", Optional.empty(), GEOMETRY, NOON));
        publish(successor, 1);
        Activation activation = activate(successor.id(), 1, NOON);
        assertThat(activation.generation()).isEqualTo(3);
        assertThat(activation.version()).isEqualTo(1);
        assertThat(ledger.history(successor.id(), 10)).hasSize(1);
    }

    @Test
    void givesConcurrentActivationsDistinctGenerationsWithoutGaps() throws InterruptedException, ExecutionException {
        long pool = poolWithVersions(8).id();
        clock.set(NOON);
        List<Callable<ActivationOutcome>> operators = new ArrayList<>();
        for (int round = 0; round < 10; round++) {
            for (int version = 1; version <= 8; version++) {
                int wanted = version;
                operators.add(() -> ledger.activate(pool, wanted, OLGA, Optional.empty()));
            }
        }
        List<ActivationOutcome> outcomes;
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            outcomes =
                    threads.invokeAll(operators).stream().map(Future::resultNow).toList();
        }
        List<Long> generations = outcomes.stream()
                .filter(Activated.class::isInstance)
                .map(outcome -> ((Activated) outcome).activation().generation())
                .sorted()
                .toList();
        assertThat(generations)
                .hasSizeGreaterThanOrEqualTo(8)
                .isEqualTo(LongStream.rangeClosed(1, generations.size()).boxed().toList());
        assertThat(outcomes).allMatch(outcome -> outcome instanceof Activated || outcome instanceof AlreadyActive);
        assertThat(ledger.history(pool, 1_000)).hasSameSizeAs(generations);
    }

    @Test
    void letsExactlyOneOfManyActivateTheSameVersion() throws InterruptedException {
        long pool = poolWithVersions(1).id();
        List<Callable<ActivationOutcome>> operators = IntStream.range(0, 8)
                .<Callable<ActivationOutcome>>mapToObj(i -> () -> ledger.activate(pool, 1, OLGA, Optional.empty()))
                .toList();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<ActivationOutcome> outcomes =
                    threads.invokeAll(operators).stream().map(Future::resultNow).toList();
            assertThat(outcomes).filteredOn(Activated.class::isInstance).hasSize(1);
            assertThat(outcomes).filteredOn(AlreadyActive.class::isInstance).hasSize(7);
        }
    }

    @Test
    void takesNothingBackThatTheCallersTransactionDoesNotCommit() {
        long pool = poolWithVersions(1).id();
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> inTransaction(() -> {
                    assertThat(ledger.activate(pool, 1, OLGA, Optional.empty())).isInstanceOf(Activated.class);
                    throw new IllegalStateException("the caller gives up");
                }));
        assertThat(ledger.current(pool)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update activation set version = 1",
                "update activation set actor = 'x'",
                "delete from activation",
                "truncate activation"
            })
    void neverRewritesHistory(String sql) {
        activate(poolWithVersions(1).id(), 1, NOON);
        assertThatExceptionOfType(DataIntegrityViolationException.class)
                .isThrownBy(() -> jdbc.sql(sql).update())
                .withMessageContaining("append-only");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1, '2026-03-01T13:00:00Z'", "2, '2026-03-01T11:59:59Z'"})
    void refusesALineThatDoesNotFollowTheLast(String generationAndTime) {
        long pool = poolWithVersions(2).id();
        activate(pool, 1, NOON);
        assertThatExceptionOfType(DataIntegrityViolationException.class)
                .isThrownBy(() -> jdbc.sql(
                                "insert into activation (pool_id, version, kind, actor, generation, activated_at)"
                                        + " values (?, 2, 'activate', 'x', " + generationAndTime + ")")
                        .param(pool)
                        .update())
                .withMessageContaining("does not follow");
    }

    private int versionAt(long pool, Instant at) {
        return ledger.activeAt(pool, at).orElseThrow().version();
    }

    private Activation activate(long pool, int version, Instant at) {
        clock.set(at);
        return ((Activated) ledger.activate(pool, version, OLGA, Optional.of("why"))).activation();
    }

    private Activation rollBack(long pool, OptionalInt version, Instant at) {
        clock.set(at);
        return ((Activated) ledger.rollBack(pool, version, OLGA, Optional.of("why"))).activation();
    }

    private Pool poolWithVersions(int versions) {
        Pool pool = newPool();
        publish(pool, versions);
        return pool;
    }

    private void publish(Pool pool, int versions) {
        for (int i = 0; i < versions; i++) {
            assertThat(artifacts.publish(pool.id(), artifactFor("slot-" + i))).isPresent();
        }
    }
}
