package io.eldr.db.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.db.RegistryTest;
import io.eldr.db.activation.ActivationLedger;
import io.eldr.db.artifact.ArtifactStore;
import io.eldr.db.audit.Actor;
import io.eldr.db.worker.Probe;
import io.eldr.db.worker.Worker;
import io.eldr.db.worker.WorkerRepository;
import io.eldr.db.worker.WorkerRole;
import io.eldr.db.worker.WorkerSource;
import io.eldr.db.worker.WorkerSpec;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.springframework.beans.factory.annotation.Autowired;

class IntentNotificationTest extends RegistryTest {
    private static final int PATIENCE_MILLIS = 60_000;

    @Autowired
    private WorkerRepository workers;

    @Autowired
    private ArtifactStore artifacts;

    @Autowired
    private ActivationLedger ledger;

    private Connection router;

    @BeforeEach
    void listen() throws SQLException {
        router = database().dataSource().getConnection();
        try (Statement statement = router.createStatement()) {
            statement.execute("listen eldr_intent");
        }
    }

    @AfterEach
    void hangUp() throws SQLException {
        router.close();
    }

    @Test
    void tellsRoutersOfEveryChangeOfIntent() throws SQLException {
        Pool pool = newPool();
        expectNews(pool);
        inTransaction(() -> pools.findById(pool.id()).orElseThrow().pin(NOON));
        expectNews(pool);
        WorkerSpec spec =
                new WorkerSpec(WorkerRole.DECODE, "http://h:1", 1, OptionalInt.empty(), Probe.HTTP, Optional.empty());
        Worker worker = workers.save(new Worker(pool.id(), "decoder-0", spec, WorkerSource.REGISTERED, NOON));
        expectNews(pool);
        inTransaction(() -> workers.findByPoolIdAndSlot(pool.id(), "decoder-0")
                .orElseThrow()
                .drain(NOON));
        expectNews(pool);
        workers.delete(workers.findByPoolIdAndSlot(pool.id(), worker.slot()).orElseThrow());
        expectNews(pool);
        assertThat(artifacts.publish(pool.id(), artifactFor("decoder-0"))).isPresent();
        assertThat(ledger.activate(pool.id(), 1, Actor.of("olga"), Optional.empty()))
                .isNotNull();
        expectNews(pool);
        inTransaction(() -> pools.findById(pool.id()).orElseThrow().delete(NOON));
        expectNews(pool);
    }

    @Test
    void tellsNothingOfWhatRoutersWriteThemselves() throws SQLException {
        Pool pool = newPool();
        expectNews(pool);
        jdbc.sql("insert into incarnation values (?, 's', 'u', 'decode', 'http://h:1', now(), now(), 'r')")
                .param(pool.id())
                .update();
        assertThat(artifacts.publish(pool.id(), artifactFor("decoder-0"))).isPresent();
        Pool marker = newPool();
        expectNews(marker);
    }

    /** The next notification is about this pool. */
    private void expectNews(Pool pool) throws SQLException {
        PGNotification[] news = router.unwrap(PGConnection.class).getNotifications(PATIENCE_MILLIS);
        assertThat(news).extracting(PGNotification::getParameter).containsExactly(pool.name());
    }
}
