package io.eldr.db.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.db.testing.TestDatabase;
import io.eldr.db.testing.TestPostgres;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** How a million samples of several pools are read and deleted: by index, and no further than is asked for. */
class SampleScaleTest {
    private static final int ROWS = 1_000_000;
    private static final int REFIT = 5_000;
    /** Six tenths of all rows are its. */
    private static final int LARGE = 1;

    private static final int SMALL = 4;
    private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");

    private static TestDatabase database;
    private static JdbcClient jdbc;

    /** Tiny payloads, one sample a second, the pools' mixed with each other. */
    @BeforeAll
    static void fill() {
        database = TestPostgres.freshDatabase();
        jdbc = JdbcClient.create(database.dataSource());
        jdbc.sql("""
                insert into pool (name, model, layers, experts, top_k, created_at, updated_at)
                select 'pool-' || i, 'm', 1, 1, 1, now(), now() from generate_series(1, 4) i""").update();
        // Without the trigger that looks up the pool of each row; the checks of the table run.
        jdbc.sql("""
                set session_replication_role = replica;
                insert into sample (pool_id, request_id, prompt_tokens, decode_tokens, prefill, prefill_sha256,
                                    decode, decode_sha256, source, created_at)
                select (array [1, 1, 1, 1, 1, 1, 2, 2, 3, 4])[i %% 10 + 1], 'r-' || i, 1, 1, payload, digest,
                       case when i %% 7 = 0 then payload end, case when i %% 7 = 0 then digest end, 'import',
                       timestamptz '2026-01-01 00:00:00Z' + i * interval '1 second'
                from generate_series(1, %d) i, (select '\\x01'::bytea as payload, sha256('\\x01') as digest) constants;
                analyze sample""".formatted(ROWS)).update();
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    @ParameterizedTest
    @EnumSource
    void aRefitReadsTheNewestByIndexAlone(Selection selection) {
        String index = selection == Selection.ALL ? "sample_pkey" : "sample_newest_with_decode";
        for (int pool : new int[] {LARGE, SMALL}) {
            String found = analysed(SampleStore.oldest(selection), pool, REFIT - 1);
            assertThat(found).contains("using " + index).doesNotContain("Sort");
            assertThat(rowsOfSteps(found)).allMatch(rows -> rows <= REFIT);
            long oldest = jdbc.sql(SampleStore.oldest(selection))
                    .params(pool, REFIT - 1)
                    .query(Long.class)
                    .single();
            String read = analysed(SampleStore.rows(selection), pool, oldest, REFIT);
            assertThat(read).contains(index).doesNotContain("Seq Scan", "Removed by Filter");
            assertThat(rowsOfSteps(read))
                    .as("no step sees, or sorts, more than what is read: %s", read)
                    .contains(REFIT)
                    .allMatch(rows -> rows <= REFIT);
        }
    }

    @Test
    void countingStopsAtItsLimit() {
        assertThat(rowsOfSteps(analysed(SampleStore.COUNT_UP_TO, LARGE, REFIT)))
                .contains(REFIT)
                .allMatch(rows -> rows <= REFIT);
    }

    static Stream<Object[]> deletions() {
        return Stream.of(
                new Object[] {SampleRetention.OLDER, "sample_age", Timestamp.from(FIRST.plusSeconds(ROWS / 2))},
                new Object[] {SampleRetention.UP_TO, "sample_pkey", (long) ROWS / 2},
                new Object[] {SampleRetention.UP_TO, "sample_pkey", Long.MAX_VALUE});
    }

    @ParameterizedTest(name = "by {1} up to {2}")
    @MethodSource("deletions")
    void retentionFindsAndDeletesABatchByIndex(String places, String index, Object bound) {
        for (int pool : new int[] {LARGE, SMALL}) {
            String plan = plan("explain (costs off) ", SampleRetention.deleting(places), pool, bound, 1_000);
            assertThat(plan)
                    .contains("using " + index)
                    .contains("Tid Scan on sample")
                    .doesNotContain("Seq Scan", "Bitmap", "Sort");
            assertThat(jdbc.sql(SampleRetention.deleting(places))
                            .params(pool, bound, 1_000)
                            .update())
                    .isEqualTo(1_000);
        }
    }

    /** How many rows each step of an analysed plan gave. */
    private static List<Integer> rowsOfSteps(String plan) {
        return Pattern.compile("actual rows=(\\d+)")
                .matcher(plan)
                .results()
                .map(step -> Integer.valueOf(step.group(1)))
                .toList();
    }

    private static String analysed(String sql, Object... parameters) {
        return plan("explain (analyze, costs off, timing off, summary off, buffers off) ", sql, parameters);
    }

    private static String plan(String how, String sql, Object... parameters) {
        return String.join(
                "\n",
                jdbc.sql(how + sql)
                        .params(parameters)
                        .query((row, i) -> String.valueOf(row.getString(1)))
                        .list());
    }
}
