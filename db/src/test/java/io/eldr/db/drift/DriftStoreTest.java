package io.eldr.db.drift;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.drift.DriftState;
import io.eldr.core.drift.DriftVerdict;
import io.eldr.core.drift.ObservationWindow;
import io.eldr.db.RegistryTest;
import io.eldr.db.activation.ActivationLedger;
import io.eldr.db.activation.ActivationOutcome;
import io.eldr.db.artifact.ArtifactStore;
import io.eldr.db.audit.Actor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

class DriftStoreTest extends RegistryTest {
    private static final ObservationWindow ONE =
            new ObservationWindow(3, 1, List.of(2L, 0L), List.of(0L, 1L, 1L), 1.5, 1, 2);

    private static final DriftVerdict VERDICT =
            new DriftVerdict(0.2, 0.1, 0.3, 0.05, 0.8, 0.9, true, false, 1, 0.4, 0.2, 0.1, 0.6, 0.01);

    @Autowired
    private DriftStore store;

    @Autowired
    private ArtifactStore artifacts;

    @Autowired
    private ActivationLedger ledger;

    private static DriftWatch begun(long pool) {
        return DriftWatch.begun(pool, 4, 2, ObservationWindow.empty(2, 3), NOON);
    }

    @Test
    void replicasThatAddAtOnceLoseNothing() throws Exception {
        long pool = newPool().id();
        try (ExecutorService replicas = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> posts = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                posts.add(replicas.submit(() -> inTransaction(() -> {
                    DriftWatch watch = store.lock(begun(pool));
                    store.save(watch.with(watch.window().plus(ONE)));
                })));
            }
            for (Future<?> post : posts) {
                post.get();
            }
        }
        DriftWatch watch = store.find(pool).orElseThrow();
        assertThat(watch.window())
                .isEqualTo(new ObservationWindow(60, 20, List.of(40L, 0L), List.of(0L, 20L, 20L), 30, 20, 40));
        assertThat(watch.startedAt()).isEqualTo(NOON);
        assertThat(watch.state()).isEqualTo(DriftState.CALM);
    }

    @Test
    void aPostOfARunIsNewOnceAndOnlyInOrder() {
        long pool = newPool().id();
        inTransaction(() -> {
            assertThat(store.isNew(pool, "router-1", 1, NOON)).isTrue();
            assertThat(store.isNew(pool, "router-1", 1, NOON)).isFalse();
            assertThat(store.isNew(pool, "router-2", 1, NOON)).isTrue();
            assertThat(store.isNew(pool, "router-1", 3, NOON)).isTrue();
            assertThat(store.isNew(pool, "router-1", 2, NOON)).isFalse();
        });
    }

    @Test
    void anAlarmKeepsItsBeginningAndForgetsItsRefitAtItsEnd() {
        long pool = newPool().id();
        DriftWatch raised = begun(pool).with(ONE).after(new DriftState(0, true), NOON.plusSeconds(9));
        inTransaction(() -> {
            store.lock(begun(pool));
            store.save(raised);
        });
        store.refitRequested(pool, 3);
        assertThat(store.find(pool)).contains(raised);
        store.refitRequested(pool, 4);
        DriftWatch asked = store.find(pool).orElseThrow();
        assertThat(asked.refitRequested()).isTrue();
        assertThat(asked.alarmSince()).contains(NOON.plusSeconds(9));
        assertThat(asked.window()).isEqualTo(ObservationWindow.empty(2, 3));
        DriftWatch still = asked.after(new DriftState(2, true), NOON.plusSeconds(20));
        assertThat(still.alarmSince()).contains(NOON.plusSeconds(9));
        assertThat(still.refitRequested()).isTrue();
        DriftWatch over = still.after(DriftState.CALM, NOON.plusSeconds(30));
        assertThat(over.alarmSince()).isEmpty();
        assertThat(over.refitRequested()).isFalse();
    }

    @Test
    void windowsReadBackNewestFirstAndRunsThatAreLongGoneAreForgotten() {
        long pool = newPool().id();
        JudgedWindow first = new JudgedWindow(4, 2, NOON, NOON.plusSeconds(60), 2_000, "decoder-1", VERDICT, false);
        JudgedWindow second =
                new JudgedWindow(4, 2, NOON.plusSeconds(60), NOON.plusSeconds(90), 2_100, "decoder-1", VERDICT, true);
        inTransaction(() -> {
            store.isNew(pool, "long-gone", 7, NOON.minus(Duration.ofDays(3)));
            store.add(pool, first);
            store.add(pool, second);
            assertThat(store.isNew(pool, "long-gone", 1, NOON)).isTrue();
        });
        assertThat(store.newest(pool, 10)).containsExactly(second, first);
        assertThat(store.newest(pool, 1)).containsExactly(second);
    }

    @Test
    void aStandingIsThatOfTheGenerationWhichServes() {
        var pool = newPool();
        assertThat(standing(pool.name())).isEmpty();
        publishAndActivate(pool.id(), "a", 1);
        inTransaction(() -> {
            store.lock(DriftWatch.begun(pool.id(), 1, 1, ObservationWindow.empty(2, 3), NOON)
                    .after(new DriftState(0, true), NOON));
            store.add(pool.id(), new JudgedWindow(1, 1, NOON, NOON, 2_000, "a", VERDICT, true));
        });
        assertThat(standing(pool.name())).contains(new DriftStore.Standing(pool.name(), 0.2, 0.3, true));
        publishAndActivate(pool.id(), "b", 2);
        assertThat(standing(pool.name())).isEmpty();
    }

    private void publishAndActivate(long pool, String slot, int version) {
        assertThat(artifacts.publish(pool, artifactFor(slot))).isPresent();
        assertThat(ledger.activate(pool, version, Actor.of("tester"), Optional.empty()))
                .isInstanceOf(ActivationOutcome.Activated.class);
    }

    private Optional<DriftStore.Standing> standing(String pool) {
        return store.standings().stream()
                .filter(standing -> standing.pool().equals(pool))
                .findFirst();
    }
}
