package io.eldr.db.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.RegistryTest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;

class WorkerTest extends RegistryTest {
    private static final Instant LATER = NOON.plusSeconds(60);
    private static final WorkerSpec PLAIN = spec("http://10.0.0.1:8000");

    @Autowired
    private WorkerRepository workers;

    @Autowired
    private IncarnationRepository incarnations;

    @Test
    void readsBackWhatWasStored() {
        long pool = newPool().id();
        WorkerSpec spec = new WorkerSpec(
                WorkerRole.PREFILL, "https://[::1]:8000/base", 2.5, OptionalInt.of(64), Probe.NONE, Optional.of("r7"));
        workers.save(new Worker(pool, "prefiller-0", spec, WorkerSource.STATIC, NOON));

        Worker read = workers.findByPoolIdAndSlot(pool, "prefiller-0").orElseThrow();
        assertThat(read.spec()).isEqualTo(spec);
        assertThat(read.source()).isEqualTo(WorkerSource.STATIC);
        assertThat(read.desiredState()).isEqualTo(DesiredState.SERVING);
        assertThat(read.createdAt()).isEqualTo(NOON);
    }

    @Test
    void goesOnDrainingWhenItIsDeclaredAnew() {
        long pool = newPool().id();
        workers.save(worker(pool, "decoder-0"));
        inTransaction(() -> {
            Worker worker = workers.findByPoolIdAndSlot(pool, "decoder-0").orElseThrow();
            worker.drain(LATER);
            worker.redeclare(spec("http://10.0.0.2:8000"), WorkerSource.REGISTERED, LATER);
        });
        Worker read = workers.findByPoolIdAndSlot(pool, "decoder-0").orElseThrow();
        assertThat(read.desiredState()).isEqualTo(DesiredState.DRAINING);
        assertThat(read.spec().url()).isEqualTo("http://10.0.0.2:8000");
        assertThat(read.updatedAt()).isEqualTo(LATER);
    }

    @Test
    void listsSlotsByCodePoint() {
        long pool = newPool().id();
        for (String slot : List.of("b", "a-10", "B", "a-9", "\u00e4")) {
            workers.save(worker(pool, slot));
        }
        assertThat(workers.findByPool(pool))
                .extracting(Worker::slot)
                .containsExactly("B", "a-10", "a-9", "b", "\u00e4");
        workers.delete(workers.findByPoolIdAndSlot(pool, "B").orElseThrow());
        assertThat(workers.findByPool(pool)).hasSize(4);
    }

    @Test
    void holdsASlotOncePerPool() {
        long pool = newPool().id();
        workers.save(worker(pool, "decoder-0"));
        workers.save(worker(newPool().id(), "decoder-0"));
        assertThatExceptionOfType(DataIntegrityViolationException.class)
                .isThrownBy(() -> workers.saveAndFlush(worker(pool, "decoder-0")))
                .withMessageContaining("worker_slot");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "decoder-0:8000",
                "ftp://host",
                "http://",
                "http://user:secret@host",
                "http://ho st",
                "file:///etc"
            })
    void refusesUrlsThatAreNoWorkers(String url) {
        assertThatThrownBy(() -> spec(url))
                .isInstanceOfSatisfying(
                        InvalidInputException.class, e -> assertThat(e.field()).isEqualTo("url"));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY, 1e7})
    void refusesWeightsThatAreNoCapacity(double weight) {
        assertThatThrownBy(() -> new WorkerSpec(
                        WorkerRole.DECODE, "http://h:1", weight, OptionalInt.empty(), Probe.HTTP, Optional.empty()))
                .isInstanceOfSatisfying(
                        InvalidInputException.class, e -> assertThat(e.field()).isEqualTo("weight"));
    }

    @Test
    void showsWhatRoutersHaveSeen() {
        long pool = newPool().id();
        seen(pool, "decoder-0", "uid-1", "2026-03-01T11:00:00Z");
        seen(pool, "decoder-0", "uid-2", "2026-03-01T12:00:05Z");
        seen(pool, "decoder-1", "uid-3", "2026-03-01T12:00:00Z");
        assertThat(incarnations.findSeenSince(pool, NOON))
                .extracting(Incarnation::slot, Incarnation::uid, Incarnation::role, Incarnation::seenBy)
                .containsExactly(
                        tuple("decoder-0", "uid-2", WorkerRole.DECODE, "router-1"),
                        tuple("decoder-1", "uid-3", WorkerRole.DECODE, "router-1"));
    }

    private void seen(long pool, String slot, String uid, String at) {
        jdbc.sql(
                        "insert into incarnation values (?, ?, ?, 'decode', 'http://h:1', ?::timestamptz, ?::timestamptz, 'router-1')")
                .params(pool, slot, uid, at, at)
                .update();
    }

    private static Worker worker(long pool, String slot) {
        return new Worker(pool, slot, PLAIN, WorkerSource.REGISTERED, NOON);
    }

    private static WorkerSpec spec(String url) {
        return new WorkerSpec(WorkerRole.DECODE, url, 1, OptionalInt.empty(), Probe.HTTP, Optional.empty());
    }
}
