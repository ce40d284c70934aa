package io.eldr.db.refit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eldr.db.RegistryTest;
import io.eldr.db.artifact.ArtifactStore;
import io.eldr.db.audit.Actor;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.domain.Limit;

class RefitRunTest extends RegistryTest {
    private static final Actor OLGA = new Actor("olga", Optional.of("admin-ui"));

    private static final Instant LATER = NOON.plusSeconds(9);

    @Autowired
    private RefitRunRepository refits;

    @Autowired
    private ArtifactStore artifacts;

    @Test
    void goesFromTheWishToAPublishedVersion() {
        long pool = newPool().id();
        long id = refits.save(new RefitRun(pool, RefitTrigger.DRIFT, true, "{\"seed\": 1}", OLGA, NOON))
                .id();
        change(id, run -> run.start(NOON.plusSeconds(1)));
        change(id, run -> run.fingerprint(new byte[32]));
        change(id, run -> run.progress("mask", 0.4));
        RefitRun running = refits.findByPoolIdAndId(pool, id).orElseThrow();
        assertThat(running.state()).isEqualTo(RefitState.RUNNING);
        assertThat(running.stage()).contains("mask");
        assertThat(running.progress()).isEqualTo(0.4);
        assertThat(running.inputFingerprint()).contains("00".repeat(32));

        inTransaction(() -> {
            int version =
                    artifacts.publish(pool, artifactFor("a")).orElseThrow().version();
            refits.findById(id).orElseThrow().succeed(version, "{\"rho\": 0.8}", LATER);
        });
        RefitRun done = refits.findByPoolIdAndVersion(pool, 1).orElseThrow();
        assertThat(done.id()).isEqualTo(id);
        assertThat(done.state()).isEqualTo(RefitState.SUCCEEDED);
        assertThat(done.progress()).isEqualTo(1);
        assertThat(done.report()).contains("{\"rho\": 0.8}");
        assertThat(done.trigger()).isEqualTo(RefitTrigger.DRIFT);
        assertThat(done.force()).isTrue();
        assertThat(done.options()).isEqualTo("{\"seed\": 1}");
        assertThat(done.requestedBy()).isEqualTo(OLGA);
        assertThat(done.createdAt()).isEqualTo(NOON);
        assertThat(done.startedAt()).contains(NOON.plusSeconds(1));
        assertThat(done.finishedAt()).contains(LATER);
    }

    @ParameterizedTest
    @EnumSource(RefitState.class)
    void isStoredInEveryState(RefitState state) {
        long pool = newPool().id();
        long id = inState(pool, state);
        RefitRun read = refits.findById(id).orElseThrow();
        assertThat(read.state()).isEqualTo(state);
        assertThat(read.finishedAt().isPresent()).isEqualTo(state.isFinal());
        assertThat(refits.findByPoolIdOrderByIdDesc(pool, Limit.of(5))).hasSize(1);
        assertThat(refits.findByPoolIdAndStateInOrderById(pool, List.of(RefitState.QUEUED, RefitState.RUNNING)))
                .hasSize(state.isFinal() ? 0 : 1);
    }

    @ParameterizedTest
    @MethodSource("finalStates")
    void goesNowhereFromAFinalState(RefitState state) {
        long id = inState(newPool().id(), state);
        RefitRun over = refits.findById(id).orElseThrow();
        Stream.<Consumer<RefitRun>>of(
                        run -> run.start(LATER),
                        RefitRun::restart,
                        run -> run.progress("mask", 0.5),
                        run -> run.fingerprint(new byte[32]),
                        run -> run.succeed(1, "{}", LATER),
                        run -> run.reject("no", Optional.empty(), LATER),
                        run -> run.fail("no", LATER),
                        run -> run.cancel(Optional.empty(), LATER))
                .forEach(step -> assertThatExceptionOfType(IllegalTransitionException.class)
                        .isThrownBy(() -> step.accept(over))
                        .satisfies(e -> assertThat(e.from()).isEqualTo(state)));
        for (RefitState target : RefitState.values()) {
            assertThatExceptionOfType(DataIntegrityViolationException.class)
                    .isThrownBy(() -> jdbc.sql("update refit_run set state = ? where id = ?")
                            .params(target.name(), id)
                            .update());
        }
    }

    @Test
    void mustStartBeforeItCanEndOtherwiseThanByCancelling() {
        RefitRun queued = new RefitRun(1, RefitTrigger.MANUAL, false, "{}", Actor.of("olga"), NOON);
        assertThatExceptionOfType(IllegalTransitionException.class).isThrownBy(() -> queued.fail("no", LATER));
        assertThatExceptionOfType(IllegalTransitionException.class).isThrownBy(() -> queued.progress("mask", 0.1));
        assertThatExceptionOfType(IllegalTransitionException.class).isThrownBy(queued::restart);
    }

    @Test
    void startsAgainAfterACrash() {
        long id = inState(newPool().id(), RefitState.RUNNING);
        change(id, run -> run.progress("cluster", 0.9));
        change(id, RefitRun::restart);
        RefitRun again = refits.findById(id).orElseThrow();
        assertThat(again.attempts()).isEqualTo(2);
        assertThat(again.progress()).isZero();
        assertThat(again.stage()).isEmpty();
    }

    @Test
    void runsOneAtATimeInEachPool() {
        long pool = newPool().id();
        inState(pool, RefitState.RUNNING);
        inState(newPool().id(), RefitState.RUNNING);
        long second = inState(pool, RefitState.QUEUED);
        assertThatExceptionOfType(DataIntegrityViolationException.class)
                .isThrownBy(() -> change(second, run -> run.start(LATER)))
                .withMessageContaining("refit_run_running");
        assertThat(refits.findById(second).orElseThrow().state()).isEqualTo(RefitState.QUEUED);
    }

    @Test
    void losesToACancelThatCameInBetween() {
        long id = inState(newPool().id(), RefitState.RUNNING);
        RefitRun mine = refits.findById(id).orElseThrow();
        change(id, run -> run.cancel(Optional.of("not now"), LATER));
        mine.progress("mask", 0.7);
        assertThatExceptionOfType(OptimisticLockingFailureException.class).isThrownBy(() -> refits.save(mine));
        assertThat(refits.findById(id).orElseThrow().reason()).contains("not now");
    }

    @Test
    void cannotSucceedWithAVersionThatDoesNotExist() {
        long id = inState(newPool().id(), RefitState.RUNNING);
        assertThatExceptionOfType(DataIntegrityViolationException.class)
                .isThrownBy(() -> change(id, run -> run.succeed(1, "{}", LATER)));
    }

    @Test
    void keepsWhatWasAskedFor() {
        long id = inState(newPool().id(), RefitState.QUEUED);
        assertThatExceptionOfType(DataIntegrityViolationException.class)
                .isThrownBy(() -> jdbc.sql("update refit_run set force = true where id = ?")
                        .param(id)
                        .update())
                .withMessageContaining("cannot change");
    }

    static EnumSet<RefitState> finalStates() {
        return EnumSet.of(RefitState.SUCCEEDED, RefitState.REJECTED, RefitState.FAILED, RefitState.CANCELLED);
    }

    private long inState(long pool, RefitState state) {
        long id = refits.save(new RefitRun(pool, RefitTrigger.MANUAL, false, "{}", Actor.of("olga"), NOON))
                .id();
        if (state != RefitState.QUEUED) {
            change(id, run -> run.start(NOON));
        }
        switch (state) {
            case QUEUED, RUNNING -> {}
            case SUCCEEDED ->
                inTransaction(() -> {
                    int version = artifacts
                            .publish(pool, artifactFor("a"))
                            .orElseThrow()
                            .version();
                    refits.findById(id).orElseThrow().succeed(version, "{}", LATER);
                });
            case REJECTED -> change(id, run -> run.reject("worse", Optional.of("{}"), LATER));
            case FAILED -> change(id, run -> run.fail("broken", LATER));
            case CANCELLED -> change(id, run -> run.cancel(Optional.empty(), LATER));
        }
        return id;
    }

    private void change(long id, Consumer<RefitRun> step) {
        inTransaction(() -> step.accept(refits.findById(id).orElseThrow()));
    }
}
