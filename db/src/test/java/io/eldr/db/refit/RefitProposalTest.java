package io.eldr.db.refit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.eldr.db.RegistryTest;
import io.eldr.db.artifact.ArtifactStore;
import io.eldr.db.audit.Actor;
import io.eldr.db.pool.Pool;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.data.domain.Limit;

class RefitProposalTest extends RegistryTest {
    @Autowired
    private RefitRunRepository runs;

    @Autowired
    private ArtifactStore store;

    private RefitRun running(Pool pool, RefitTrigger trigger) {
        RefitRun run = new RefitRun(pool.id(), trigger, false, "{}", Actor.of("schedule"), NOON)
                .because(Optional.of("because"), List.of(), OptionalLong.empty());
        run = runs.saveAndFlush(run);
        run.start(NOON);
        return runs.saveAndFlush(run);
    }

    private RefitRun proposed(Pool pool) {
        RefitRun run = running(pool, RefitTrigger.CRON);
        run.takeSlots(List.of("a"));
        run.takeSamples(7);
        int version = store.publish(pool.id(), artifactFor("a")).orElseThrow().version();
        run.succeed(version, "{}", NOON);
        run.propose();
        return runs.saveAndFlush(run);
    }

    @Test
    void isDecidedOnceAndNothingElseOfTheRunChanges() {
        RefitRun run = proposed(newPool());
        assertThat(runs.findById(run.id()).orElseThrow().proposal()).contains(Proposal.OPEN);
        run.decide(Proposal.APPROVED);
        RefitRun approved = runs.saveAndFlush(run);
        assertThat(approved.cause()).contains("because");
        assertThat(approved.slots()).containsExactly("a");
        assertThat(approved.newestSample()).hasValue(7);
        assertThatIllegalStateException().isThrownBy(() -> approved.decide(Proposal.DISMISSED));
        for (String change : List.of(
                "proposal = 'dismissed'",
                "proposal = 'open'",
                "reason = 'none'",
                "version = null",
                "state = 'FAILED'")) {
            assertThatExceptionOfType(DataAccessException.class)
                    .as(change)
                    .isThrownBy(() -> jdbc.sql("update refit_run set " + change + " where id = :id")
                            .param("id", run.id())
                            .update());
        }
    }

    @Test
    void changesNothingBesideTheDecision() {
        RefitRun run = proposed(newPool());
        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(() -> jdbc.sql("update refit_run set proposal = 'approved', report = '{}' || '{\"a\":1}'"
                                + " where id = :id")
                        .param("id", run.id())
                        .update());
    }

    @Test
    void findsTheLastThatReadSamplesAndTheLastThatWasForDecoders() {
        Pool pool = newPool();
        RefitRun first = proposed(pool);
        RefitRun topology = running(pool, RefitTrigger.TOPOLOGY);
        topology.takeSlots(List.of("a", "b"));
        topology.takeSamples(9);
        topology.fail("no", NOON);
        runs.saveAndFlush(topology);
        RefitRun manual = running(pool, RefitTrigger.MANUAL);
        manual.takeSlots(List.of("c"));
        manual.fail("no", NOON);
        runs.saveAndFlush(manual);
        assertThat(runs.findFirstByPoolIdAndNewestSampleNotNullOrderByIdDesc(pool.id()))
                .map(RefitRun::id)
                .contains(topology.id());
        assertThat(runs.findWithSlots(pool.id(), Limit.of(5)).stream().map(RefitRun::id))
                .containsExactly(topology.id(), first.id());
        inTransaction(() -> assertThat(runs.lockOpen(pool.id())).isEmpty());
        assertThat(runs.poolOf(first.id())).contains(pool.id());
    }

    @Test
    void findsWhatWasRejectedForTheSameInputs() {
        Pool pool = newPool();
        byte[] inputs = new byte[32];
        inputs[3] = 1;
        RefitRun run = running(pool, RefitTrigger.CRON);
        run.fingerprint(inputs);
        run.reject("worse", Optional.of("{}"), NOON);
        runs.saveAndFlush(run);
        assertThat(runs.findFirstByPoolIdAndStateAndInputFingerprintOrderByIdDesc(
                        pool.id(), RefitState.REJECTED, inputs))
                .isPresent();
        inputs[3] = 2;
        assertThat(runs.findFirstByPoolIdAndStateAndInputFingerprintOrderByIdDesc(
                        pool.id(), RefitState.REJECTED, inputs))
                .isEmpty();
    }
}
