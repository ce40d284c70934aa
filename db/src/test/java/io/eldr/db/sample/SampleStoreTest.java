package io.eldr.db.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.RegistryTest;
import io.eldr.db.pool.Pool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;

class SampleStoreTest extends RegistryTest {
    @Autowired
    private SampleStore store;

    @Autowired
    private SampleRetention retention;

    @Test
    void readsBackWhatWasStored() {
        long pool = newPool().id();
        clock.set(NOON);
        NewSample full = new NewSample(
                "r-1",
                Optional.of("law"),
                3,
                counts(5, 1),
                Optional.of(new DecodedTokens(70_000, counts(70_000, 70_000))),
                SampleSource.IMPORT);
        NewSample bare = sample("r-2", false);
        assertThat(store.add(pool, List.of(full, bare))).isEqualTo(new Intake(2, 0));

        List<StoredSample> read = newest(pool, Selection.ALL, 10);
        assertThat(read).hasSize(2);
        assertThat(read.get(0))
                .isEqualTo(new StoredSample(
                        read.get(0).id(),
                        "r-1",
                        Optional.of("law"),
                        3,
                        full.prefill(),
                        full.decode(),
                        SampleSource.IMPORT,
                        NOON));
        assertThat(read.get(1).requestId()).isEqualTo("r-2");
        assertThat(read.get(1).label()).isEmpty();
        assertThat(read.get(1).decode()).isEmpty();
    }

    @Test
    void keepsTheFirstOfSamplesWithTheSameRequest() {
        long pool = newPool().id();
        store.add(pool, List.of(sample("a", false)));
        assertThat(store.add(pool, List.of(sample("b", true), sample("a", true), sample("b", false))))
                .isEqualTo(new Intake(1, 2));
        assertThat(newest(pool, Selection.ALL, 10))
                .extracting(s -> s.requestId() + s.decode().isPresent())
                .containsExactly("afalse", "btrue");
        assertThat(store.add(newPool().id(), List.of(sample("a", false)))).isEqualTo(new Intake(1, 0));
    }

    @Test
    void storesNothingOfABatchWithOneBadSample() {
        long pool = newPool().id();
        List<NewSample> samples = new ArrayList<>(samples(1_200, 1));
        samples.set(
                1_100, new NewSample("bad", Optional.of("bad"), 3, counts(1, 1), Optional.empty(), SampleSource.API));
        jdbc.sql("alter table sample add constraint no_bad_label check (label <> 'bad')")
                .update();
        try {
            assertThatExceptionOfType(DataIntegrityViolationException.class).isThrownBy(() -> store.add(pool, samples));
        } finally {
            jdbc.sql("alter table sample drop constraint no_bad_label").update();
        }
        assertThat(store.summary(pool).count()).isZero();
        assertThat(store.add(pool, samples)).isEqualTo(new Intake(1_200, 0));
    }

    @Test
    void streamsTheNewestFromTheOldestOfThemOn() {
        long pool = newPool().id();
        store.add(pool, samples(1_000, 3));
        store.add(newPool().id(), samples(10, 1));

        assertThat(newest(pool, Selection.ALL, 5))
                .extracting(StoredSample::requestId)
                .containsExactly("r-995", "r-996", "r-997", "r-998", "r-999");
        assertThat(newest(pool, Selection.WITH_DECODE, 3))
                .extracting(StoredSample::requestId)
                .containsExactly("r-993", "r-996", "r-999");
        assertThat(newest(pool, Selection.ALL, 2_000))
                .hasSize(1_000)
                .extracting(StoredSample::id)
                .isSorted();
        assertThat(newest(newPool().id(), Selection.ALL, 5)).isEmpty();
    }

    @Test
    void countsWhatAPoolHas() {
        long pool = newPool().id();
        assertThat(store.summary(pool)).isEqualTo(new SampleSummary(0, 0, Map.of(), Optional.empty()));
        clock.set(NOON);
        store.add(pool, List.of(labelled("a", "law", false), labelled("b", "law", true), labelled("c", "code", true)));
        clock.set(NOON.plusSeconds(60));
        store.add(pool, List.of(sample("d", false)));
        assertThat(store.summary(pool))
                .isEqualTo(new SampleSummary(4, 2, Map.of("law", 2L, "code", 1L), Optional.of(NOON.plusSeconds(60))));
    }

    @Test
    void forgetsByAgeAndByCount() {
        long pool = newPool().id();
        clock.set(NOON);
        store.add(pool, samples(10, 1));
        clock.set(NOON.plus(Duration.ofDays(1)));
        store.add(pool, List.of(sample("new-1", false), sample("new-2", false), sample("new-3", false)));

        assertThat(retention.newestBeyond(pool, 13)).isEmpty();
        long beyond = retention.newestBeyond(pool, 5).orElseThrow();
        assertThat(retention.deleteUpTo(pool, beyond, 6)).isEqualTo(6);
        assertThat(newest(pool, Selection.ALL, 20).getFirst().requestId()).isEqualTo("r-6");
        assertThat(retention.deleteUpTo(pool, beyond, 6)).isEqualTo(2);
        assertThat(retention.deleteUpTo(pool, beyond, 6)).isZero();
        assertThat(retention.deleteOlderThan(pool, NOON, 10)).isZero();
        assertThat(retention.deleteOlderThan(pool, NOON.plusSeconds(1), 1)).isEqualTo(1);
        assertThat(retention.deleteOlderThan(pool, NOON.plusSeconds(1), 10)).isEqualTo(1);
        assertThat(newest(pool, Selection.ALL, 10))
                .extracting(StoredSample::requestId)
                .containsExactly("new-1", "new-2", "new-3");
    }

    @Test
    void aReaderGetsAllItBeganToReadAlthoughTheyAreDeletedMeanwhile() {
        long pool = newPool().id();
        store.add(pool, samples(700, 2));
        List<StoredSample> before = newest(pool, Selection.ALL, 700);
        List<StoredSample> read = new ArrayList<>();
        store.forEachNewest(pool, Selection.ALL, 700, sample -> {
            if (read.isEmpty()) {
                assertThat(CompletableFuture.supplyAsync(() -> retention.deleteUpTo(pool, Long.MAX_VALUE, 1_000))
                                .join())
                        .isEqualTo(700);
            }
            read.add(sample);
        });
        assertThat(read).isEqualTo(before);
        assertThat(store.summary(pool).count()).isZero();
    }

    @Test
    void findsTheSamplesOfDeletedPools() {
        Pool pool = newPool();
        store.add(pool.id(), samples(2, 1));
        assertThat(retention.deletedPools()).doesNotContain(pool.id());
        pool.delete(NOON);
        pools.save(pool);
        assertThat(retention.deletedPools()).contains(pool.id());
        assertThat(retention.deleteUpTo(pool.id(), Long.MAX_VALUE, 10)).isEqualTo(2);
        assertThat(retention.deletedPools()).doesNotContain(pool.id());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "a\u0007b", "\u2028b", "tab\t", "\u0085"})
    void refusesTextsThatDoNotFitInALine(String text) {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> sample(text, false))
                .satisfies(refusal -> assertThat(refusal.field()).isEqualTo("requestId"));
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> labelled("a", text, false))
                .satisfies(refusal -> assertThat(refusal.field()).isEqualTo("label"));
        assertThat(labelled("\u65e5\u672c-\u00fc", "\ud83e\uddd1\u200d\ud83d\udcbb", false))
                .isNotNull();
    }

    @Test
    void refusesToChangeASample() {
        long pool = newPool().id();
        store.add(pool, List.of(sample("a", false)));
        assertThatExceptionOfType(DataIntegrityViolationException.class)
                .isThrownBy(() -> jdbc.sql("update sample set label = 'x' where pool_id = ?")
                        .param(pool)
                        .update())
                .withMessageContaining("a sample never changes");
    }

    @Test
    void refusesAPayloadThatDoesNotMatchItsDigest() {
        long pool = newPool().id();
        assertThatExceptionOfType(DataIntegrityViolationException.class)
                .isThrownBy(() -> jdbc.sql("""
                        insert into sample (pool_id, request_id, prompt_tokens, prefill, prefill_sha256, source, created_at)
                        values (?, 'r', 1, '\\x0102', sha256('\\x0103'), 'api', now())""").param(pool).update());
    }

    private List<StoredSample> newest(long pool, Selection selection, int limit) {
        List<StoredSample> read = new ArrayList<>();
        assertThat(store.forEachNewest(pool, selection, limit, read::add)).isEqualTo(read.size());
        return read;
    }

    private static List<NewSample> samples(int count, int decodeEvery) {
        return IntStream.range(0, count)
                .mapToObj(i -> sample("r-" + i, i % decodeEvery == 0))
                .toList();
    }

    private static NewSample sample(String requestId, boolean decode) {
        return sample(requestId, Optional.empty(), decode);
    }

    private static NewSample labelled(String requestId, String label, boolean decode) {
        return sample(requestId, Optional.of(label), decode);
    }

    private static NewSample sample(String requestId, Optional<String> label, boolean decode) {
        return new NewSample(
                requestId,
                label,
                3,
                counts(3, 3),
                decode ? Optional.of(new DecodedTokens(2, counts(2, 2))) : Optional.empty(),
                SampleSource.API);
    }

    private static ExpertCounts counts(int first, int second) {
        return ExpertCounts.of(2, 4, new int[] {first, second, 0, 0, first, second, 0, 0});
    }
}
