package io.eldr.calibration.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import io.eldr.db.testing.TestDatabase;
import io.eldr.db.testing.TestPostgres;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

class RetentionTest {
    private static final String[] OFTEN = {
        "eldr.calibration.samples.retention-interval=200ms", "eldr.calibration.samples.retention-batch=7"
    };

    @Test
    void samplesBeyondAPoolsLimitsAreDeletedByOneOfTheReplicas() {
        try (TestDatabase database = TestPostgres.freshDatabase();
                TestServer one = TestServer.start(database, OFTEN);
                TestServer two = TestServer.start(database, OFTEN)) {
            JdbcClient jdbc = JdbcClient.create(database.dataSource());
            ApiClient admin = one.as(TestToken.ADMIN);
            TestPool few = TestPool.create(one).withSamples(60);
            TestPool young = TestPool.create(one).withSamples(5);
            addOldSamples(jdbc, young.name(), 40);
            TestPool untouched = TestPool.create(one).withSamples(30);
            TestPool deleted = TestPool.create(one).withSamples(20);

            admin.patch(few.path(), "{\"retention\":{\"maxSamples\":25}}").expect(200);
            admin.patch(young.path(), "{\"retention\":{\"maxAgeDays\":20}}").expect(200);
            admin.delete(deleted.path()).expect(204);
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() ->
                            assertThat(jdbc.sql("""
                                            select count(*) from sample join pool on pool.id = pool_id
                                            group by pool.name order by min(pool.id)""").query(Long.class).list()).isEqualTo(List.of(25L, 5L, 30L)));

            assertThat(jdbc.sql("select request_id from sample join pool on pool.id = pool_id where pool.name = ?"
                                    + " order by sample.id limit 1")
                            .param(few.name())
                            .query(String.class)
                            .single())
                    .as("the newest stay")
                    .isEqualTo("request-35");
            assertThat(admin.get(untouched.path() + "/samples")
                            .json()
                            .path("count")
                            .asInt())
                    .isEqualTo(30);
            // What was deleted counts a moment later.
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                assertThat(deleted(one, "count") + deleted(two, "count")).isEqualTo(35);
                assertThat(deleted(one, "age") + deleted(two, "age")).isEqualTo(40);
                assertThat(deleted(one, "pool") + deleted(two, "pool")).isEqualTo(20);
            });
            assertThat(jdbc.sql("select task_name from housekeeping_tasks")
                            .query(String.class)
                            .list())
                    .as("one task for both replicas")
                    .containsExactly("sample-retention");
        }
    }

    @Test
    void aPoolSaysWhatItKeepsOrLeavesItToTheServiceAndTheChangeIsAudited() {
        TestPool pool = TestPool.create(TestServer.shared());
        ApiClient admin = TestServer.shared().as(TestToken.ADMIN);
        assertThat(admin.get(pool.path()).json().path("retention").toString()).isEqualTo("{}");
        assertThat(admin.get(pool.path()).json().at("/sampling/rate").asDouble())
                .isEqualTo(0.1);

        JsonNode both = admin.patch(
                        pool.path(),
                        "{\"retention\":{\"maxSamples\":5000,\"maxAgeDays\":30},\"sampling\":{\"rate\":1}}")
                .expect(200)
                .json();
        assertThat(both.path("retention").toString()).isEqualTo("{\"maxSamples\":5000,\"maxAgeDays\":30}");
        assertThat(both.at("/sampling/rate").asDouble()).isEqualTo(1);
        JsonNode one = admin.patch(pool.path(), "{\"retention\":{\"maxSamples\":null}}")
                .expect(200)
                .json();
        assertThat(one.path("retention").toString()).isEqualTo("{\"maxAgeDays\":30}");
        assertThat(one.at("/sampling/rate").asDouble()).isEqualTo(1);

        JsonNode entry = admin.get("/v1/audit?pool=" + pool.name()).json().get(0);
        assertThat(entry.path("action").asString()).isEqualTo("pool.change");
        assertThat(entry.at("/before/retention/maxSamples").asInt()).isEqualTo(5_000);
        assertThat(entry.path("after").path("retention").has("maxSamples")).isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {"retention":{"maxSamples":0}}         | retention.maxSamples
                    {"retention":{"maxSamples":100000001}} | retention.maxSamples
                    {"retention":{"maxSamples":"many"}}    | retention.maxSamples
                    {"retention":{"maxAgeDays":1.5}}       | retention.maxAgeDays
                    {"retention":{"maxAgeDays":-1}}        | retention.maxAgeDays
                    {"retention":{"maxAge":1}}             | retention.maxAge
                    {"sampling":{"rate":1.01}}             | sampling.rate
                    {"sampling":{"rate":-0.1}}             | sampling.rate
                    {"sampling":{}}                        | sampling.rate""")
    void refusesLimitsThatMakeNoSense(String change, String field) {
        TestPool pool = TestPool.create(TestServer.shared());
        TestServer.shared().as(TestToken.ADMIN).patch(pool.path(), change).expectInvalid(field);
    }

    private static void addOldSamples(JdbcClient jdbc, String pool, int count) {
        jdbc.sql("""
                insert into sample (pool_id, request_id, prompt_tokens, prefill, prefill_sha256, source, created_at)
                select id, 'old-' || i, 1, '\\x01', sha256('\\x01'), 'import', now() - interval '21 days'
                from pool, generate_series(1, ?) i where name = ?""").params(count, pool).update();
    }

    private static double deleted(TestServer server, String reason) {
        Counter counter = server.bean(MeterRegistry.class)
                .find("eldr.samples.deleted")
                .tag("reason", reason)
                .counter();
        return counter == null ? 0 : counter.count();
    }
}
