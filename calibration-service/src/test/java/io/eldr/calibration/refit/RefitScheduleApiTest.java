package io.eldr.calibration.refit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import io.eldr.db.testing.TestDatabase;
import io.eldr.db.testing.TestPostgres;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** Refits that nobody asks for by hand, on two replicas. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RefitScheduleApiTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration A_WHILE = Duration.ofMillis(700);

    private TestDatabase database;
    private TestServer server;
    private TestServer replica;
    private ApiClient admin;
    private JdbcClient jdbc;

    @BeforeAll
    void start() {
        database = TestPostgres.freshDatabase();
        server = replica();
        replica = replica();
        admin = server.as(TestToken.ADMIN);
        jdbc = JdbcClient.create(database.dataSource());
    }

    private TestServer replica() {
        return TestServer.start(
                database,
                "eldr.calibration.refit.schedule-interval=100ms",
                "eldr.calibration.refit.topology-quiet-time=500ms");
    }

    @AfterAll
    void stop() {
        server.close();
        replica.close();
    }

    private TestPool pool() {
        return TestPool.create(server).withDecoders(2);
    }

    private void schedule(TestPool pool, String schedule) {
        admin.patch(pool.path(), "{\"schedule\":" + schedule + "}").expect(200);
    }

    private List<JsonNode> runs(TestPool pool) {
        return admin.get(pool.path() + "/refits").json().valueStream().toList();
    }

    private JsonNode onlyRunOnceItIsOver(TestPool pool) {
        await().atMost(PATIENCE).until(() -> runs(pool).stream().anyMatch(run -> run.hasNonNull("finishedAt")));
        await().during(A_WHILE).atMost(PATIENCE).until(() -> runs(pool).size() == 1);
        return runs(pool).getFirst();
    }

    @Test
    void keepsAndShowsAndAuditsASchedule() {
        TestPool pool = pool();
        JsonNode fresh = admin.get(pool.path()).json().path("schedule");
        assertThat(fresh.toString()).isEqualTo("{\"zone\":\"UTC\",\"onDrift\":true,\"onTopology\":true}");
        schedule(pool, "{\"cron\":\"0 0 3 * * *\",\"zone\":\"Europe/Berlin\",\"afterSamples\":500,\"onDrift\":false}");
        schedule(pool, "{\"onTopology\":false}");
        JsonNode kept = admin.get(pool.path()).json().path("schedule");
        assertThat(kept.path("cron").asString()).isEqualTo("0 0 3 * * *");
        assertThat(kept.path("zone").asString()).isEqualTo("Europe/Berlin");
        assertThat(kept.path("afterSamples").asInt()).isEqualTo(500);
        assertThat(kept.path("onDrift").asBoolean()).isFalse();
        assertThat(kept.path("onTopology").asBoolean()).isFalse();
        assertThat(Instant.parse(kept.path("nextCron").asString())).isAfter(Instant.now());
        schedule(pool, "{\"cron\":null,\"afterSamples\":null}");
        JsonNode cleared = admin.get(pool.path()).json().path("schedule");
        assertThat(cleared.has("cron") || cleared.has("nextCron") || cleared.has("afterSamples"))
                .isFalse();
        JsonNode entry =
                admin.get("/v1/audit?limit=1&pool=" + pool.name()).json().get(0);
        assertThat(entry.path("before").path("schedule").path("cron").asString())
                .isEqualTo("0 0 3 * * *");
        assertThat(entry.path("after").path("schedule").has("cron")).isFalse();
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"cron":"0 3 * * *"}                  | schedule.cron
            {"cron":"0 0 0 31 2 *"}               | schedule.cron
            {"cron":7}                            | schedule.cron
            {"zone":"Atlantis"}                   | schedule.zone
            {"zone":1}                            | schedule.zone
            {"afterSamples":0}                    | schedule.afterSamples
            {"afterSamples":1.5}                  | schedule.afterSamples
            {"afterSamples":"many"}               | schedule.afterSamples
            {"onDrift":"yes"}                     | schedule.onDrift
            {"onTopology":1}                      | schedule.onTopology
            {"every":"day"}                       | schedule.every
            """)
    void namesTheFieldOfAScheduleThatItRefuses(String schedule, String field) {
        TestPool pool = pool();
        admin.patch(pool.path(), "{\"tau\":0.5,\"schedule\":" + schedule + "}").expectInvalid(field);
        assertThat(admin.get(pool.path()).json().path("tau").asString())
                .as("nothing is half changed")
                .isEqualTo("auto");
    }

    @Test
    void refitsByCron() {
        TestPool pool = pool().withSamples(40);
        schedule(pool, "{\"cron\":\"* * * * * *\"}");
        await().atMost(PATIENCE).until(() -> !runs(pool).isEmpty());
        schedule(pool, "{\"cron\":null}");
        JsonNode run = runs(pool).getLast();
        assertThat(run.path("trigger").asString()).isEqualTo("cron");
        assertThat(run.path("why").asString()).isEqualTo("cron * * * * * *");
        assertThat(run.path("requestedBy").asString()).isEqualTo("schedule");
        await().atMost(PATIENCE)
                .until(() -> admin.get(pool.path() + "/activations/current").status() == 200);
    }

    @Test
    void makesUpOnceForTimesThatPassedWhileEverythingWasDown() {
        TestPool pool = pool().withSamples(40);
        schedule(pool, "{\"cron\":\"0 0 3 * * *\"}");
        jdbc.sql("update refit_schedule set next_cron = now() - interval '9 days'"
                        + " where pool_id = (select id from pool where name = :pool)")
                .param("pool", pool.name())
                .update();
        assertThat(onlyRunOnceItIsOver(pool).path("state").asString()).isEqualTo("SUCCEEDED");
        assertThat(Instant.parse(admin.get(pool.path())
                        .json()
                        .path("schedule")
                        .path("nextCron")
                        .asString()))
                .isAfter(Instant.now());
    }

    @Test
    void refitsAfterSoManySamplesThatTheLastRefitHasNotRead() {
        TestPool pool = pool();
        schedule(pool, "{\"afterSamples\":30}");
        admin.postSamples(pool.name(), TestPool.lines("a", 29, i -> true)).expect(200);
        await().during(A_WHILE).atMost(PATIENCE).until(() -> runs(pool).isEmpty());
        admin.postSamples(pool.name(), TestPool.lines("b", 1, i -> true)).expect(200);
        JsonNode run = onlyRunOnceItIsOver(pool);
        assertThat(run.path("trigger").asString()).isEqualTo("samples");
        assertThat(run.path("state").asString()).isEqualTo("SUCCEEDED");
        admin.postSamples(pool.name(), TestPool.lines("c", 30, i -> true)).expect(200);
        await().atMost(PATIENCE).until(() -> runs(pool).size() == 2);
    }

    @Test
    void makesAPoolsFirstVersionOfEnoughLiveSamples() {
        TestPool donor = pool();
        admin.postSamples(donor.name(), TestPool.lines("live", 300, i -> false)).expect(200);
        TestPool pool = pool();
        jdbc.sql("""
                        insert into sample (pool_id, request_id, label, prompt_tokens, prefill, prefill_sha256, source, created_at)
                        select live.id, request_id, label, prompt_tokens, prefill, prefill_sha256, 'online', now()
                        from sample join pool donor on donor.id = pool_id, pool live
                        where donor.name = :donor and live.name = :pool""").param("donor", donor.name()).param("pool", pool.name()).update();
        JsonNode run = onlyRunOnceItIsOver(pool);
        assertThat(run.path("why").asString()).isEqualTo("the first 300 live samples");
        assertThat(admin.get(pool.path() + "/artifacts/1")
                        .json()
                        .path("uncalibrated")
                        .asBoolean())
                .isTrue();
        assertThat(runs(donor))
                .as("samples that were posted are nobody's traffic")
                .isEmpty();
    }

    @Test
    void refitsWhenDecodersHaveChangedAndStayChanged() {
        TestPool pool = pool().withSamples(40);
        admin.refit(pool.name(), "{}");
        pool.withDecoder(2);
        await().atMost(PATIENCE).until(() -> runs(pool).size() == 2);
        JsonNode run = admin.refitAt(
                pool.path() + "/refits/" + runs(pool).getFirst().path("id").asLong());
        assertThat(run.path("trigger").asString()).isEqualTo("topology");
        assertThat(run.path("why").asString()).isEqualTo("1 decoders came and 0 went");
        assertThat(run.path("report").path("gate").path("rule").asString()).isEqualTo("shares-only");
        await().during(A_WHILE).atMost(PATIENCE).until(() -> runs(pool).size() == 2);
    }

    @Test
    void leavesDecodersAloneWhereThePoolIsPinnedOrWantsNoSuchRefits() {
        TestPool pinned = pool().withSamples(40);
        admin.refit(pinned.name(), "{}");
        admin.patch(pinned.path(), "{\"pinned\":true}").expect(200);
        pinned.withDecoder(2);
        TestPool unwilling = pool().withSamples(40);
        admin.refit(unwilling.name(), "{}");
        schedule(unwilling, "{\"onTopology\":false}");
        unwilling.withDecoder(2);
        for (TestPool pool : List.of(pinned, unwilling)) {
            server.as(TestToken.CLIENT)
                    .post(pool.path() + "/refits", "{\"trigger\":\"topology\"}")
                    .expectProblem(409, "conflict");
        }
        await().during(A_WHILE.multipliedBy(2))
                .atMost(PATIENCE)
                .until(() -> runs(pinned).size() == 1 && runs(unwilling).size() == 1);
        assertThat(admin.refit(pinned.name(), "{}").path("state").asString())
                .as("by hand it is refitted")
                .isEqualTo("SUCCEEDED");
    }

    @Test
    void makesOneRefitOfTheWishesOfManyRouters() throws Exception {
        TestPool pool = pool().withSamples(40);
        admin.refit(pool.name(), "{}");
        pool.withDecoder(2);
        List<Integer> ids;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> asked = IntStream.range(0, 8)
                    .mapToObj(i -> threads.submit(() -> topology(i % 2 == 0 ? server : replica, pool)))
                    .toList();
            ids = new ArrayList<>();
            for (Future<Integer> each : asked) {
                ids.add(each.get());
            }
        }
        assertThat(ids.stream().distinct()).hasSize(1);
        String location = pool.path() + "/refits/" + ids.getFirst();
        assertThat(admin.refitAt(location).path("version").asInt()).isEqualTo(2);
        ApiClient.Answer later = server.as(TestToken.CLIENT)
                .post(pool.path() + "/refits", "{\"trigger\":\"topology\"}")
                .expect(200);
        assertThat(later.header("Location")).isEqualTo(location);
        assertThat(runs(pool)).hasSize(2);
    }

    private static int topology(TestServer server, TestPool pool) {
        ApiClient.Answer answer =
                server.as(TestToken.CLIENT).post(pool.path() + "/refits", "{\"trigger\":\"topology\"}");
        assertThat(answer.status()).isIn(200, 202);
        return answer.json().path("id").asInt();
    }

    @Test
    void doesNotAskAgainForWhatAnOperatorCancelled() {
        TestPool pool = pool().withSamples(40);
        admin.refit(pool.name(), "{}");
        jdbc.sql("""
                        insert into refit_run (pool_id, trigger, requested_by, created_at, slots)
                        select id, 'topology', 'router', now(), '{decoder-0,decoder-1,decoder-2}'
                        from pool where name = :pool""").param("pool", pool.name()).update();
        admin.post(pool.path() + "/refits/" + runs(pool).getFirst().path("id").asLong() + "/cancel", "")
                .expect(200);
        pool.withDecoder(2);
        await().during(A_WHILE.multipliedBy(2))
                .atMost(PATIENCE)
                .until(() -> runs(pool).size() == 2);
    }

    @Test
    void letsClientsAskForNothingButTopology() {
        TestPool pool = pool().withSamples(40);
        ApiClient client = server.as(TestToken.CLIENT);
        client.post(pool.path() + "/refits", "{}").expectProblem(403, "forbidden");
        client.post(pool.path() + "/refits", "{\"trigger\":\"manual\"}").expectProblem(403, "forbidden");
        client.post(pool.path() + "/refits", "{\"trigger\":\"cron\"}").expectInvalid("trigger");
        client.post(pool.path() + "/refits", "{\"trigger\":\"topology\",\"force\":true}")
                .expectInvalid("force");
        server.as(TestToken.VIEWER)
                .post(pool.path() + "/refits", "{\"trigger\":\"topology\"}")
                .expectProblem(403, "forbidden");
        assertThat(runs(pool)).isEmpty();
    }
}
