package io.eldr.router.worker;

import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.core.load.LoadLedger;
import io.eldr.db.testing.TestDatabase;
import io.eldr.db.testing.TestPostgres;
import io.eldr.router.testing.FakeDecoder;
import io.eldr.router.testing.MovingClock;
import io.eldr.router.testing.Registry;
import io.eldr.router.testing.TestRouter;
import io.eldr.router.testing.TestRouter.Answer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Workers that fail, flap, restart and stop answering, against one router that asks them often. */
class WorkerFaultsTest {

    private static final int FAILURES = 3;
    private static final Duration OPEN_FOR = Duration.ofMinutes(1);
    private static final MovingClock CLOCK = new MovingClock();
    private static TestDatabase database;
    private static Registry registry;
    private static TestRouter router;

    private final List<FakeDecoder> engines = new ArrayList<>();

    @BeforeAll
    static void start() {
        database = TestPostgres.freshDatabase();
        registry = new Registry(database);
        router = TestRouter.start(
                CLOCK,
                database.springProperties(),
                "eldr.router.probe.interval=100ms",
                "eldr.router.scrape.interval=250ms",
                "eldr.router.breaker.failures=" + FAILURES,
                // It ends by the clock that a test moves, not by one that a busy machine lets run on.
                "eldr.router.breaker.open-for=" + OPEN_FOR);
    }

    @AfterAll
    static void stop() {
        router.close();
        database.close();
    }

    @AfterEach
    void closeEngines() {
        registry.jdbc().sql("update pool set deleted_at = now()").update();
        engines.forEach(FakeDecoder::close);
    }

    @Test
    void aLongStreamKeepsItsCountThroughTwentyHealthCycles() {
        serve("cycles", 1, "http");
        Answer stream = route("cycles", "stream");
        int before = engines.getFirst().probes();

        await().until(() -> engines.getFirst().probes() >= before + 20);

        assertThat(inFlight("cycles", 0)).isEqualTo(1);
        close(stream, "completed");
        assertThat(inFlight("cycles", 0)).isZero();
    }

    @Test
    void aDecoderThatFlapsKeepsWhatRunsThereAndIsNeverBelowZero() {
        serve("flaps", 2, "http");
        List<Answer> running = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            running.add(route("flaps", "f" + i));
        }
        for (int flap = 0; flap < 2; flap++) {
            engines.getFirst().health(503);
            await().until(() -> state("flaps", 0).equals("EJECTED"));
            assertThat(inFlight("flaps", 0)).isEqualTo(2);
            assertThat(route("flaps", "while-away-" + flap)
                            .json()
                            .at("/decoder/id")
                            .asString())
                    .isEqualTo("decoder-1");
            engines.getFirst().health(200);
            await().until(() -> state("flaps", 0).equals("READY"));
            assertThat(inFlight("flaps", 0)).isEqualTo(2);
        }
        running.forEach(each -> close(each, "completed"));
        running.forEach(each -> close(each, "completed"));
        assertThat(inFlight("flaps", 0)).isZero();
        assertThat(inFlight("flaps", 1)).isEqualTo(2);
    }

    @Test
    void aFailingDecoderIsNotPickedByEveryRequestAndOneTrialTakesItBack() throws Exception {
        serve("fails", 2, "none");
        for (int i = 0; i < FAILURES; i++) {
            close(route("fails", "f" + i, "candidates", List.of("decoder-0")), "decoderFailed");
        }
        assertThat(only("fails", "ejected", "decoder-0").status()).isEqualTo(503);
        await().until(() -> state("fails", 0).equals("EJECTED"));
        for (int i = 0; i < 20; i++) {
            assertThat(route("fails", "other" + i).json().at("/decoder/id").asString())
                    .isEqualTo("decoder-1");
        }

        CLOCK.advance(OPEN_FOR);
        List<Answer> trials = new ArrayList<>();
        await().until(() -> {
            trials.addAll(atOnce(10, i -> only("fails", "trial-" + trials.size() + "-" + i, "decoder-0")));
            return trials.stream().anyMatch(answer -> answer.status() == 200);
        });
        assertThat(trials.stream().filter(answer -> answer.status() == 200)).hasSize(1);
        assertThat(state("fails", 0)).isEqualTo("EJECTED");
        trials.stream().filter(answer -> answer.status() == 200).forEach(trial -> close(trial, "completed"));
        assertThat(only("fails", "after", "decoder-0").status()).isEqualTo(200);
        await().until(() -> state("fails", 0).equals("READY"));
    }

    @Test
    void movingAwayFromADecoderCountsAsItsFailure() {
        serve("moves", 2, "none");
        int failed = 0;
        for (int i = 0; failed < FAILURES; i++) {
            Answer opened = route("moves", "m" + i);
            String first = opened.json().at("/decoder/id").asString();
            if (first.equals("decoder-0")) {
                String id = opened.json().at("/reservation/id").asString();
                Answer moved = router.post("/v1/reservations/" + id + "/reassign", Map.of("failed", first));
                assertThat(moved.json().at("/decoder/id").asString()).isEqualTo("decoder-1");
                failed++;
            }
        }
        await().until(() -> state("moves", 0).equals("EJECTED"));
    }

    @Test
    void aHundredClientErrorsLeaveAllBreakersClosed() {
        serve("prompts", 2, "none");
        for (int i = 0; i < 100; i++) {
            close(route("prompts", "too-long-" + i), "clientError");
        }
        assertThat(state("prompts", 0)).isEqualTo("READY");
        assertThat(state("prompts", 1)).isEqualTo("READY");
    }

    @Test
    void aNewIncarnationOfAnEjectedDecoderStartsFit() {
        serve("renewed", 1, "none");
        for (int i = 0; i < FAILURES; i++) {
            close(route("renewed", "f" + i), "decoderFailed");
        }
        await().until(() -> state("renewed", 0).equals("EJECTED"));

        FakeDecoder successor = new FakeDecoder();
        engines.add(successor);
        registry.setWorker("renewed", "decoder-0", "url", successor.url());

        await().until(() -> state("renewed", 0).equals("READY"));
        assertThat(only("renewed", "after", "decoder-0").status()).isEqualTo(200);
    }

    @Test
    void whatTheEngineSaysAndWhatThisRouterHasThereAreTwoSeries() {
        serve("two-series", 1, "none");
        FakeDecoder engine = engines.getFirst();
        IntStream.range(0, 3).forEach(i -> engine.begin());
        Answer own = route("two-series", "own");

        String labels = "{pool=\"two-series\",slot=\"decoder-0\"} ";
        await().untilAsserted(() -> {
            JsonNode decoder = decoder("two-series", 0);
            assertThat(decoder.at("/engine/running").asInt()).isEqualTo(3);
            assertThat(decoder.path("inFlight").asInt()).isEqualTo(1);
            assertThat(decoder.path("load").asDouble()).isBetween(3.0, 4.0);
            assertThat(decoder.at("/engine/ageSeconds").asDouble()).isBetween(0.0, 60.0);
            assertThat(metrics())
                    .contains("eldr_router_decoder_in_flight" + labels + "1.0")
                    .contains("eldr_router_decoder_engine_requests" + labels + "3.0")
                    .contains("eldr_router_decoder_load" + labels)
                    .contains("eldr_router_scrape_seconds_count")
                    .contains("eldr_router_scrape_reading_seconds_sum");
        });
        close(own, "completed");
        assertThat(inFlight("two-series", 0)).isZero();
        assertThat(engine.running()).isEqualTo(3);
    }

    @Test
    void anEngineThatGivesNoMoreMetricsCountsByWhatThisRouterHasThere() {
        serve("silent", 1, "none");
        FakeDecoder engine = engines.getFirst();
        IntStream.range(0, 9).forEach(i -> engine.begin());
        await().until(() -> decoder("silent", 0).path("load").asDouble() == 9);

        engine.metrics(500);

        await().until(() -> !decoder("silent", 0).at("/engine/counts").asBoolean(true));
        assertThat(decoder("silent", 0).path("load").asDouble()).isZero();
        assertThat(decoder("silent", 0).at("/engine/running").asInt()).isEqualTo(9);
        assertThat(state("silent", 0)).isEqualTo("READY");
        assertThat(router.bean(LoadLedger.class).routers()).isEqualTo(1);
    }

    private void serve(String pool, int decoders, String probe) {
        registry.pool(pool);
        registry.set(pool, "policy", "jsq");
        for (int i = 0; i < decoders; i++) {
            FakeDecoder engine = new FakeDecoder();
            engines.add(engine);
            registry.worker(pool, "decoder-" + i, engine.url(), probe);
        }
        await().until(() -> IntStream.range(0, decoders)
                .allMatch(i -> state(pool, i).equals("READY")
                        && decoder(pool, i).at("/engine/counts").asBoolean(false)));
    }

    private static List<Answer> atOnce(int count, IntFunction<Answer> call) throws Exception {
        List<Answer> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> calls = IntStream.range(0, count)
                    .mapToObj(i -> threads.submit(() -> call.apply(i)))
                    .toList();
            for (Future<Answer> each : calls) {
                answers.add(each.get());
            }
        }
        return answers;
    }

    private static Answer only(String pool, String requestId, String decoder) {
        return router.post("/v1/route", body(pool, requestId, "candidates", List.of(decoder)));
    }

    private static Answer route(String pool, String requestId, Object... more) {
        Answer answer = router.post("/v1/route", body(pool, requestId, more));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer;
    }

    private static void close(Answer opened, String outcome) {
        String id = opened.json().at("/reservation/id").asString();
        assertThat(router.delete("/v1/reservations/" + id + "?outcome=" + outcome)
                        .status())
                .isEqualTo(204);
    }

    private static String state(String pool, int decoder) {
        return decoder(pool, decoder).path("state").asString("");
    }

    private static int inFlight(String pool, int decoder) {
        int count = decoder(pool, decoder).path("inFlight").asInt();
        assertThat(count).isNotNegative();
        return count;
    }

    private static JsonNode decoder(String pool, int decoder) {
        for (JsonNode each :
                router.get("/v1/pools/" + pool + "/decoders").json().path("decoders")) {
            if (each.path("id").asString().equals("decoder-" + decoder)) {
                return each;
            }
        }
        return router.get("/livez").json().path("no such decoder");
    }

    private static String metrics() {
        return router.send(HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + router.managementPort() + "/actuator/prometheus"))
                        .GET())
                .text();
    }
}
