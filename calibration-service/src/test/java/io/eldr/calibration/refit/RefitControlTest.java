package io.eldr.calibration.refit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.ControlledFitting;
import io.eldr.calibration.testing.ControlledJudging;
import io.eldr.calibration.testing.EventStream;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import io.eldr.core.calibration.GateRule;
import io.eldr.db.audit.Actor;
import io.eldr.db.refit.RefitTrigger;
import io.eldr.db.testing.TestPostgres;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** Cancelling, listening and judging, with fits and judgements that take as long as the test wants them to. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RefitControlTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private TestServer server;
    private ControlledFitting fitting;
    private ControlledJudging gate;
    private ApiClient operator;
    private ApiClient admin;

    @BeforeAll
    void start() {
        server = TestServer.start(
                TestPostgres.freshDatabase().springProperties(),
                List.of(ControlledFitting.Replacement.class, ControlledJudging.Replacement.class),
                "spring.datasource.hikari.maximum-pool-size=6");
        fitting = server.bean(ControlledFitting.class);
        gate = server.bean(ControlledJudging.class);
        operator = server.as(TestToken.OPERATOR);
        admin = server.as(TestToken.ADMIN);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @BeforeEach
    void letEverythingPass() {
        fitting.release();
        gate.release();
        gate.agree();
    }

    private TestPool pool() {
        return TestPool.create(server).withDecoders(2).withSamples(120);
    }

    private String request(TestPool pool, String options) {
        return admin.post(pool.path() + "/refits", options).expect(202).header("Location");
    }

    private String held(TestPool pool) {
        fitting.hold();
        String location = request(pool, "{}");
        await().atMost(PATIENCE).until(() -> fitting.running() == 1);
        return location;
    }

    private String state(String location) {
        return operator.get(location).json().path("state").asString();
    }

    @Test
    void cancelsAtOnceWhatWaits() {
        String running = held(pool());
        TestPool other = pool();
        String waiting = request(other, "{}");
        JsonNode cancelled = operator.post(waiting + "/cancel", "").expect(200).json();
        assertThat(cancelled.path("state").asString()).isEqualTo("CANCELLED");
        assertThat(cancelled.path("reason").asString()).isEqualTo("cancelled by operator");
        fitting.release();
        assertThat(operator.refitAt(running).path("state").asString()).isEqualTo("SUCCEEDED");
        assertThat(state(waiting)).isEqualTo("CANCELLED");
        assertThat(operator.get(other.path() + "/artifacts").json()).isEmpty();
        JsonNode entry = operator.get("/v1/audit?pool=" + other.name() + "&limit=1")
                .json()
                .get(0);
        assertThat(entry.path("action").asString()).isEqualTo("refit.cancel");
        assertThat(entry.path("actor").asString()).isEqualTo("operator");
        assertThat(entry.path("before").path("state").asString()).isEqualTo("QUEUED");
    }

    @Test
    void cancelsAFitThatRuns() {
        TestPool pool = pool();
        String location = held(pool);
        operator.post(location + "/cancel", "").expect(200);
        await().atMost(PATIENCE).until(() -> fitting.running() == 0);
        assertThat(state(location)).isEqualTo("CANCELLED");
        fitting.release();
        assertThat(operator.refit(pool.name(), "{}").path("version").asInt())
                .as("the thread goes on with the next one, not interrupted")
                .isEqualTo(1);
    }

    @Test
    void cancelsAJudgementThatLooksNowhereElse() {
        TestPool pool = pool();
        gate.hold();
        String location = request(pool, "{}");
        await().atMost(PATIENCE)
                .until(() ->
                        operator.get(location).json().path("stage").asString("").equals("gate"));
        operator.post(location + "/cancel", "").expect(200);
        // Its thread is free again, so the next one comes to its end though the first judgement never would.
        gate.release();
        gate.agree();
        assertThat(operator.refit(pool.name(), "{}").path("version").asInt()).isEqualTo(1);
        assertThat(state(location)).isEqualTo("CANCELLED");
    }

    @Test
    void saysWhatARefitIsThatIsOver() {
        TestPool pool = pool();
        JsonNode run = operator.refit(pool.name(), "{}");
        String location = pool.path() + "/refits/" + run.path("id").asLong();
        assertThat(operator.post(location + "/cancel", "")
                        .expectProblem(409, "conflict")
                        .json()
                        .path("detail")
                        .asString())
                .contains("SUCCEEDED as version 1");
        operator.post(pool.path() + "/refits/999999/cancel", "").expectProblem(404, "not-found");
        assertThat(state(location)).isEqualTo("SUCCEEDED");
    }

    @Test
    void neverBothPublishesAndCancels() {
        TestPool pool = pool();
        for (int round = 0; round < 12; round++) {
            String location = request(pool, "{\"seed\":%d}".formatted(round));
            int wait = round;
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .atMost(PATIENCE)
                    .until(() -> operator.get(location).json().path("progress").asDouble() * 12 >= wait
                            || !state(location).equals("RUNNING"));
            int answer = operator.post(location + "/cancel", "").status();
            JsonNode run = operator.refitAt(location);
            assertThat(run.path("state").asString()).isEqualTo(answer == 200 ? "CANCELLED" : "SUCCEEDED");
            assertThat(run.has("version")).isEqualTo(answer != 200);
        }
        long succeeded = operator.get(pool.path() + "/refits")
                .json()
                .valueStream()
                .filter(run -> run.path("state").asString().equals("SUCCEEDED"))
                .count();
        assertThat(operator.get(pool.path() + "/artifacts").json().size()).isEqualTo((int) succeeded);
    }

    @Test
    void streamsEachChangeToManyListenersAndEndsWithTheReport() {
        TestPool pool = pool();
        String location = held(pool);
        List<EventStream> streams = IntStream.range(0, 40)
                .mapToObj(i -> server.as(TestToken.VIEWER).events(location))
                .toList();
        for (EventStream stream : streams) {
            await().atMost(PATIENCE).until(() -> !stream.events().isEmpty());
            assertThat(stream.events().getFirst().name()).isEqualTo("refit");
            assertThat(stream.events().getFirst().data().path("state").asString())
                    .isEqualTo("RUNNING");
            assertThat(stream.isOver()).isFalse();
        }
        fitting.release();
        for (EventStream stream : streams) {
            await().atMost(PATIENCE).until(stream::isOver);
            assertThat(stream.last().data().path("state").asString()).isEqualTo("SUCCEEDED");
            assertThat(stream.last().data().path("report").isObject()).isTrue();
            assertThat(stream.events().stream()
                            .filter(event -> event.data().has("finishedAt"))
                            .count())
                    .isOne();
        }
        EventStream late = server.as(TestToken.VIEWER).events(location);
        await().atMost(PATIENCE).until(late::isOver);
        assertThat(late.events()).hasSize(1);
    }

    @Test
    void answersWithAProblemWhereThereIsNothingToListenTo() {
        TestPool pool = pool();
        ApiClient.send(operator.request(pool.path() + "/refits/999999/events").header("Accept", "text/event-stream"))
                .expectProblem(404, "not-found");
        ApiClient.send(server.as(TestToken.CLIENT).request(pool.path() + "/refits/1/events"))
                .expectProblem(403, "forbidden");
    }

    @Test
    void rejectsWithTheReasonAndWithoutAVersionUnlessForced() {
        TestPool pool = pool();
        operator.refit(pool.name(), "{}");
        gate.object("too hot");
        JsonNode rejected = operator.refit(pool.name(), "{\"seed\":2}");
        assertThat(rejected.path("state").asString()).isEqualTo("REJECTED");
        assertThat(rejected.path("reason").asString()).isEqualTo("the gate: too hot");
        assertThat(rejected.has("version")).isFalse();
        JsonNode said = rejected.path("report").path("gate");
        assertThat(said.path("passed").asBoolean()).isFalse();
        assertThat(said.path("judgedOn").asString()).isEqualTo("test-part");
        assertThat(said.path("rule").asString()).isEqualTo("full");
        assertThat(said.path("activeVersion").asInt()).isEqualTo(1);
        assertThat(said.path("reasons").toString()).contains("too hot");
        assertThat(operator.get(pool.path() + "/artifacts").json()).hasSize(1);

        int fits = fitting.finished();
        JsonNode again = operator.refit(pool.name(), "{\"seed\":2}");
        assertThat(again.path("reason").asString()).isEqualTo("the gate: too hot");
        assertThat(again.path("report").path("gate")).isEqualTo(said);
        assertThat(fitting.finished()).as("the same again is not fitted again").isEqualTo(fits);

        JsonNode forced = admin.refit(pool.name(), "{\"seed\":2,\"force\":true}");
        assertThat(forced.path("version").asInt()).isEqualTo(2);
        assertThat(forced.path("report").path("gate").path("passed").asBoolean())
                .isFalse();
        assertThat(forced.path("report").path("gate").path("overridden").asBoolean())
                .isTrue();
        assertThat(operator.get("/v1/audit?pool=" + pool.name()).json().toString())
                .contains("\"force\":true");
    }

    @Test
    void rejectsNothingForWhatAFewRequestsSay() {
        TestPool pool = TestPool.create(server).withDecoders(2).withSamples(40);
        operator.refit(pool.name(), "{}");
        gate.object("too hot");
        JsonNode run = operator.refit(pool.name(), "{\"seed\":2}");
        assertThat(run.path("state").asString()).isEqualTo("SUCCEEDED");
        assertThat(run.path("report").path("warnings").toString())
                .contains("too hot")
                .contains("too few to reject");
    }

    @Test
    void judgesOnTheNewestThatNeitherVersionHasSeenWhereThereAreEnough() {
        TestPool pool = pool();
        operator.refit(pool.name(), "{}");
        admin.postSamples(pool.name(), TestPool.lines("newer", 2_380, i -> true))
                .expect(200);
        JsonNode run = operator.refit(pool.name(), "{\"mask\":[0,1],\"representation\":\"count\"}");
        assertThat(run.path("report").path("gate").path("judgedOn").asString()).isEqualTo("newest");
        assertThat(run.path("report").path("basis").path("samplesUsed").asInt()).isEqualTo(2_000);
        assertThat(run.path("report").path("basis").path("samplesHeldBack").asInt())
                .isEqualTo(500);
        ControlledJudging.Call call = gate.calls().getLast();
        assertThat(call.besideActive()).isTrue();
        assertThat(call.rule()).isEqualTo(GateRule.FULL);
        assertThat(call.requests()).hasSize(500).startsWith("newer-1880").endsWith("newer-2379");

        operator.refit(pool.name(), "{\"seed\":2,\"mask\":[0,1],\"representation\":\"count\"}");
        assertThat(gate.calls().getLast().requests())
                .as("the active version's refit has read the newest")
                .isNotEmpty()
                .hasSizeLessThan(600)
                .isNotEqualTo(call.requests());
    }

    @Test
    void looksAtSharesAloneWhereTheDecodersChanged() {
        TestPool pool = pool();
        operator.refit(pool.name(), "{}");
        pool.withDecoder(2);
        JsonNode run = operator.refit(pool.name(), "{}");
        assertThat(run.path("report").path("gate").path("rule").asString()).isEqualTo("shares-only");
    }

    @Test
    void saysThatNothingJudgedWhereNothingIsHeldOut() {
        JsonNode run = operator.refit(pool().name(), "{\"holdOut\":0}");
        assertThat(run.path("state").asString()).isEqualTo("SUCCEEDED");
        assertThat(run.path("report").path("gate").path("judgedOn").asString()).isEqualTo("nothing");
        assertThat(run.path("report").path("warnings").toString()).contains("nothing was held out");
    }

    @Test
    void takesOneWishOfDriftWhileARefitIsOpenAndNoneOfAPinnedPool() {
        RefitRequests requests = server.bean(RefitRequests.class);
        TestPool pool = pool();
        fitting.hold();
        RefitView asked = requests.request(pool.name(), RefitTrigger.DRIFT, Actor.of("drift"), "PSI 0.4")
                .orElseThrow();
        assertThat(requests.request(pool.name(), RefitTrigger.DRIFT, Actor.of("drift"), "PSI 0.5"))
                .isEmpty();
        fitting.release();
        JsonNode run = operator.refitAt(pool.path() + "/refits/" + asked.id());
        assertThat(run.path("trigger").asString()).isEqualTo("drift");
        assertThat(run.path("why").asString()).isEqualTo("PSI 0.4");
        assertThat(run.path("requestedBy").asString()).isEqualTo("drift");
        assertThat(run.path("report").path("basis").path("trigger").asString()).isEqualTo("drift");
        admin.patch(pool.path(), "{\"pinned\":true}").expect(200);
        assertThat(requests.request(pool.name(), RefitTrigger.DRIFT, Actor.of("drift"), "PSI 0.4"))
                .isEmpty();
        admin.patch(pool.path(), "{\"pinned\":false,\"schedule\":{\"onDrift\":false}}")
                .expect(200);
        assertThat(requests.request(pool.name(), RefitTrigger.DRIFT, Actor.of("drift"), "PSI 0.4"))
                .isEmpty();
    }
}
