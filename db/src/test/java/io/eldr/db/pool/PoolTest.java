package io.eldr.db.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eldr.core.routing.HotRule;
import io.eldr.core.routing.PolicyName;
import io.eldr.core.routing.ShadowRule;
import io.eldr.core.routing.SwitchbackRule;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.RegistryTest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.OptimisticLockingFailureException;

class PoolTest extends RegistryTest {
    private static final Instant LATER = NOON.plus(Duration.ofHours(1));

    @Test
    void readsBackWhatWasStored() {
        String name = "demo-" + UUID.randomUUID();
        Pool pool = new Pool(name, "own/moe-28M", Optional.of("r7"), GEOMETRY, NOON);
        pool.changeAliases(List.of("moe", "own \"quoted\", with comma"), LATER);
        pool.changeDialect(Dialect.PREFILL_FIRST, LATER);
        pool.changeEngineModel(Optional.of("own/served"), LATER);
        pool.changeAdapters(List.of("sql-lora"), LATER);
        pool.changePolicy("round-robin", LATER);
        pool.changeTau(OptionalDouble.of(0.25), LATER);
        pool.changeMinCandidates(OptionalInt.of(3), LATER);
        pool.changeHot(Optional.of(new HotRule(2, 3, 0.9)), LATER);
        pool.changeShadow(Optional.of(new ShadowRule(PolicyName.ELDR, OptionalDouble.of(0.4))), LATER);
        pool.changeSwitchback(Optional.of(new SwitchbackRule(PolicyName.JSQ, PolicyName.ELDR, 15)), LATER);
        pool.changeMode(PoolMode.PROPOSE, LATER);
        pool.pin(LATER);
        pools.save(pool);

        Pool read = pools.findByName(name).orElseThrow();
        assertThat(read).usingRecursiveComparison().isEqualTo(pool);
        assertThat(read.geometry()).isEqualTo(GEOMETRY);
        assertThat(read.identity().revision()).isEqualTo("r7");
        assertThat(read.aliases()).containsExactly("moe", "own \"quoted\", with comma");
        assertThat(read.dialect()).isEqualTo(Dialect.PREFILL_FIRST);
        assertThat(read.engineModel()).contains("own/served");
        assertThat(read.adapters()).containsExactly("sql-lora");
        assertThat(read.hot()).contains(new HotRule(2, 3, 0.9));
        assertThat(read.shadow()).contains(new ShadowRule(PolicyName.ELDR, OptionalDouble.of(0.4)));
        assertThat(read.switchback()).contains(new SwitchbackRule(PolicyName.JSQ, PolicyName.ELDR, 15));
        assertThat(read.mode()).isEqualTo(PoolMode.PROPOSE);
        assertThat(read.pinned()).isTrue();
    }

    @Test
    void leavesTauAndCandidatesOpenByDefault() {
        Pool read = pools.findById(newPool().id()).orElseThrow();
        assertThat(read.tau()).isEmpty();
        assertThat(read.minCandidates()).isEmpty();
        assertThat(read.hot()).isEmpty();
        assertThat(read.shadow()).isEmpty();
        assertThat(read.switchback()).isEmpty();
        assertThat(read.policy()).isEqualTo("eldr");
        assertThat(read.dialect()).isEqualTo(Dialect.VLLM);
        assertThat(read.engineModel()).isEmpty();
        assertThat(read.adapters()).isEmpty();
        assertThat(read.mode()).isEqualTo(PoolMode.AUTOMATIC);
    }

    @Test
    void givesTheNameFreeWhenItIsDeleted() {
        Pool old = newPool();
        assertThatExceptionOfType(DataIntegrityViolationException.class)
                .isThrownBy(() -> pools.saveAndFlush(again(old)));
        old.delete(LATER);
        pools.save(old);
        assertThat(pools.findByName(old.name())).isEmpty();
        assertThat(pools.lock(old.id())).isEmpty();

        Pool successor = pools.save(again(old));
        assertThat(pools.findByName(old.name()).orElseThrow().id()).isEqualTo(successor.id());
        assertThat(pools.findById(old.id()).orElseThrow().deletedAt()).contains(LATER);
    }

    @Test
    void noticesThatAnotherReplicaWroteInBetween() {
        Pool mine = newPool();
        Pool theirs = pools.findById(mine.id()).orElseThrow();
        theirs.pin(LATER);
        pools.save(theirs);
        mine.changePolicy("jsq", LATER);
        assertThatExceptionOfType(OptimisticLockingFailureException.class).isThrownBy(() -> pools.save(mine));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-a",
                "a/b",
                "a b",
                "..",
                "ä",
                "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggg"
            })
    void refusesNamesThatDoNotFitIntoAPath(String name) {
        assertThatThrownBy(() -> new Pool(name, "m", Optional.empty(), GEOMETRY, NOON))
                .isInstanceOfSatisfying(
                        InvalidInputException.class, e -> assertThat(e.field()).isEqualTo("name"));
        assertThatExceptionOfType(DataIntegrityViolationException.class)
                .isThrownBy(() -> jdbc.sql("""
                        insert into pool (name, model, layers, experts, top_k, created_at, updated_at)
                        values (?, 'm', 2, 4, 2, now(), now())""").param(name).update());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hot_factor = 2",
                "hot_factor = 2, hot_min_excess = 1, hot_kv_cap = 1.5",
                "shadow_tau = 0.1",
                "shadow_policy = 'No'",
                "switchback_first = 'jsq', switchback_second = 'eldr'",
                "switchback_first = 'jsq', switchback_second = 'jsq', switchback_minutes = 5",
                "switchback_first = 'jsq', switchback_second = 'eldr', switchback_minutes = 0"
            })
    void theDatabaseRefusesHalfASetting(String change) {
        Pool pool = newPool();
        assertThatExceptionOfType(DataIntegrityViolationException.class)
                .isThrownBy(() -> jdbc.sql("update pool set " + change + " where id = ?")
                        .param(pool.id())
                        .update());
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.01, 2.01, Double.NaN, Double.POSITIVE_INFINITY})
    void refusesATauOutsideItsRange(double tau) {
        Pool pool = newPool();
        assertThatThrownBy(() -> pool.changeTau(OptionalDouble.of(tau), LATER))
                .isInstanceOfSatisfying(
                        InvalidInputException.class, e -> assertThat(e.field()).isEqualTo("tau"));
        assertThatExceptionOfType(DataIntegrityViolationException.class)
                .isThrownBy(() -> jdbc.sql("update pool set tau = ? where id = ?")
                        .params(tau, pool.id())
                        .update());
    }

    private static Pool again(Pool pool) {
        return new Pool(pool.name(), "other", Optional.empty(), GEOMETRY, LATER);
    }
}
