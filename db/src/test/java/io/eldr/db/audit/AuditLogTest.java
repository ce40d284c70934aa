package io.eldr.db.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eldr.db.RegistryTest;
import io.eldr.db.pool.Pool;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.IllegalTransactionStateException;

class AuditLogTest extends RegistryTest {
    private static final Actor OLGA = new Actor("olga", Optional.of("admin-ui"));

    @Autowired
    private AuditLog log;

    @Test
    void readsBackTheNewestEntriesFirst() {
        String pool = newPool().name();
        Change pin = new Change(
                "pool.pin",
                Optional.of(pool),
                "pool",
                Optional.of("{\"pinned\": false}"),
                Optional.of("{\"pinned\": true}"));
        Change drain = new Change("worker.drain", Optional.of(pool), "decoder-3", Optional.empty(), Optional.empty());
        clock.set(NOON);
        inTransaction(() -> log.append(OLGA, pin));
        inTransaction(() -> log.append(Actor.of("root"), drain));

        assertThat(log.newest(Optional.of(pool), 10))
                .extracting(AuditEntry::change)
                .containsExactly(drain, pin);
        AuditEntry first = log.newest(Optional.of(pool), 10).getLast();
        assertThat(first.actor()).isEqualTo(OLGA);
        assertThat(first.at()).isEqualTo(NOON);
        assertThat(log.newest(Optional.empty(), 1))
                .extracting(AuditEntry::change)
                .containsExactly(drain);
    }

    @Test
    void writesOnlyTogetherWithAChange() {
        Pool pool = newPool();
        assertThatExceptionOfType(IllegalTransactionStateException.class)
                .isThrownBy(() -> log.append(OLGA, change(pool)));

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> inTransaction(() -> {
                    log.append(OLGA, change(pool));
                    throw new IllegalStateException("the change fails");
                }));
        assertThat(log.newest(Optional.of(pool.name()), 10)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update audit_entry set actor = 'somebody else'",
                "delete from audit_entry",
                "truncate audit_entry"
            })
    void neverRewritesWhatHappened(String sql) {
        inTransaction(() -> log.append(OLGA, change(newPool())));
        assertThatExceptionOfType(DataIntegrityViolationException.class)
                .isThrownBy(() -> jdbc.sql(sql).update())
                .withMessageContaining("append-only");
    }

    private static Change change(Pool pool) {
        return new Change("pool.pin", Optional.of(pool.name()), "pool", Optional.empty(), Optional.empty());
    }
}
