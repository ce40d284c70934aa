package io.eldr.admin.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eldr.admin.testing.Browser;
import io.eldr.admin.testing.Events;
import io.eldr.admin.testing.FakeRouter;
import io.eldr.admin.testing.FakeService;
import io.eldr.admin.testing.TestAdmin;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LiveTest {
    private static final AtomicInteger POOLS = new AtomicInteger();
    private static FakeService calibration;
    private static TestAdmin admin;

    private final String pool = "pool-" + POOLS.incrementAndGet();
    private final FakeRouter first = FakeRouter.start(pool).serves(3, 4, 2);
    private final FakeRouter second = FakeRouter.start(pool).serves(3, 1, 5);

    @BeforeAll
    static void startAll() {
        calibration = FakeService.start();
        admin = TestAdmin.start(calibration.address());
    }

    @AfterEach
    void stop() {
        first.close();
        second.close();
    }

    @AfterAll
    static void stopAll() {
        admin.close();
        calibration.close();
    }

    @Test
    void addsUpWhatRoutersHaveAndTakesTheHighestOfTheirEstimates() {
        knowBoth();

        JsonNode state = until(live -> live.path("routers").size() == 2
                && inFlight(live) == 5
                && !live.path("calibration").path("stale").asBoolean());

        JsonNode shown = shown(state);
        assertThat(shown.path("readyDecoders").asInt()).isEqualTo(2);
        JsonNode decoder = shown.path("decoders").get(0);
        assertThat(decoder.path("load").asDouble()).isEqualTo(4.5);
        assertThat(decoder.path("readyOn").asInt()).isEqualTo(2);
        assertThat(decoder.path("share").asDouble()).isEqualTo(0.5);
        assertThat(shown.path("spillRate").asDouble()).isCloseTo(0.4, within(1e-9));
        assertThat(shown.path("outOfBandRate").asDouble()).isCloseTo(0.1, within(1e-9));
        assertThat(state.path("calibration").path("stale").asBoolean()).isFalse();
    }

    @Test
    void showsPrefillersAsTheWorstRouterSeesThemAndWhatEachSeesWhereTheyDiffer() {
        first.prefills("READY", "READY", "PENDING");
        second.prefills("READY", "EJECTED", "PENDING");
        knowBoth();

        JsonNode state = until(live -> live.path("routers").size() == 2
                && shown(live).at("/prefillers/0/readyOn").asInt() == 2);

        assertThat(shown(state).path("prefillers"))
                .isEqualTo(JsonMapper.shared().readTree("""
                [{"id":"p-0","url":"http://127.0.0.1:1/p0","state":"READY","readyOn":2,"inFlight":2},
                 {"id":"p-1","url":"http://127.0.0.1:1/p1","state":"EJECTED","readyOn":1,
                  "byRouter":{"router-a":"READY","router-b":"EJECTED"},"inFlight":4},
                 {"id":"p-2","url":"http://127.0.0.1:1/p2","state":"PENDING","readyOn":0,"inFlight":6}]"""));
    }

    @Test
    void aRouterOfAnOlderVersionTellsOfNoPrefillerAndOfAllElse() {
        know(first);

        JsonNode state = until(live -> inFlight(live) == 4);

        assertThat(shown(state).path("prefillers")).isEmpty();
        assertThat(health(state, "router-a").path("stale").asBoolean()).isFalse();
    }

    @Test
    void tellsWhatEachRouterSeesOfADecoderWhereTheyDiffer() {
        second.ejects("d-1").serves(3, 1, 5);
        knowBoth();

        JsonNode state =
                until(live -> shown(live).at("/decoders/1/state").asString("").equals("EJECTED"));

        JsonNode decoder = shown(state).path("decoders").get(1);
        assertThat(decoder.path("readyOn").asInt()).isEqualTo(1);
        assertThat(decoder.at("/byRouter/router-a").asString()).isEqualTo("READY");
        assertThat(decoder.at("/byRouter/router-b").asString()).isEqualTo("EJECTED");
        assertThat(shown(state).path("decoders").get(0).has("byRouter")).isFalse();
    }

    @Test
    void movesWithTheRouters() {
        know(first);
        until(live -> inFlight(live) == 4);

        first.serves(3, 9, 2);

        until(live -> inFlight(live) == 9);
    }

    @Test
    void tellsTheTimePerOutputTokenAndTheExpertsOfWhatRanLately() {
        know(first);
        until(live -> inFlight(live) == 4);

        // 10 requests more that took 20 ms a token, 10 steps more with 5.5 experts in a layer.
        first.serves(3, 14, 2);

        JsonNode state = until(live -> shown(live).path("decoders").path(0).has("tpotMs"));
        assertThat(shown(state).path("decoders").get(0).path("tpotMs").asDouble())
                .isCloseTo(20, within(1e-6));
        assertThat(shown(state).path("decoders").get(0).path("activeExperts").asDouble())
                .isCloseTo(5.5, within(1e-6));
        assertThat(shown(state).path("activeExperts").asDouble()).isCloseTo(5.5, within(1e-6));
    }

    @Test
    void aRouterThatIsAwayIsStaleAndTheRestGoesOn() {
        Instant before = Instant.now();
        knowBoth();
        until(live -> live.path("routers").size() == 2 && inFlight(live) == 5);

        second.close();

        JsonNode state = until(live -> health(live, "router-b").path("stale").asBoolean()
                && !health(live, "router-a").path("stale").asBoolean());
        assertThat(health(state, "router-b").path("detail").asString()).isNotEmpty();
        assertThat(Instant.parse(health(state, "router-b").path("since").asString()))
                .isBetween(before, Instant.now());
        assertThat(inFlight(state)).as("what the other still has").isEqualTo(4);
        assertThat(shown(state).path("health").path("stale").asBoolean()).isFalse();
    }

    @Test
    void aRouterThatComesBackIsFreshAgain() {
        know(first);
        until(live -> inFlight(live) == 4);
        first.close();
        JsonNode state = until(live -> health(live, "router-a").path("stale").asBoolean());
        assertThat(shown(state).path("health").path("stale").asBoolean()).isTrue();
        assertThat(inFlight(state)).as("its last known state").isEqualTo(4);

        try (FakeRouter again = first.restarted().serves(4, 7, 0)) {
            until(live -> !health(live, "router-a").path("stale").asBoolean() && inFlight(live) == 7);
            assertThat(again.address()).isEqualTo(first.address());
        }
    }

    @Test
    void theCalibrationServiceMayBeAwayAndRoutersStayKnown() {
        knowBoth();
        // Two routers may still be another test's.
        until(live -> inFlight(live) == 5);

        calibration.on("GET /v1/routers", 503, "application/problem+json", "{}");
        until(live -> live.path("calibration").path("stale").asBoolean());

        first.serves(3, 20, 2);
        JsonNode state = until(live -> inFlight(live) == 21);
        assertThat(state.path("routers").size()).isEqualTo(2);
    }

    @Test
    void aRouterThatHangsHoldsUpNobodyElse() {
        CountDownLatch end = new CountDownLatch(1);
        second.service().on("GET /v1/pools", exchange -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        knowBoth();
        until(live -> inFlight(live) == 4);

        first.serves(3, 8, 2);

        until(live -> inFlight(live) == 8);
        until(live -> health(live, "router-b").path("stale").asBoolean());
        end.countDown();
    }

    @Test
    void showsWhoIsBehindAndWhoRefused() {
        second.serves(2, 1, 5);
        String refused = second.registered("router-b")
                .replace(
                        "\"pools\":[]",
                        "\"pools\":[{\"pool\":\"" + pool + "\",\"nack\":{\"generation\":3,\"reason\":\"checksum\"}}]");
        calibration.on("GET /v1/routers", FakeRouter.list(first.registered("router-a"), refused));

        JsonNode state = until(live -> live.path("routers").size() == 2
                && shown(live).path("generation").asInt() == 3
                && health(live, "router-b").path("since").isString());

        JsonNode behind = router(state, "router-b").path("pools").get(0);
        assertThat(behind.path("generation").asInt()).isEqualTo(2);
        assertThat(behind.path("behind").asBoolean()).isTrue();
        assertThat(behind.path("nack").path("reason").asString()).isEqualTo("checksum");
        assertThat(router(state, "router-a").path("pools").get(0).path("behind").asBoolean())
                .isFalse();
    }

    @Test
    void theStreamPushesEachStateAndEndsWithTheSession() {
        know(first);
        Browser browser = admin.browserOf("viewer");

        try (Events events = new Events(browser.open("/api/stream"))) {
            Events.Event one = events.next();
            Events.Event two = events.next();
            assertThat(one.name()).isEqualTo("state");
            assertThat(two.json().path("sequence").asLong())
                    .isGreaterThan(one.json().path("sequence").asLong());

            browser.call("DELETE", "/api/session", "").expect(204);

            Events.Event last = events.next();
            while (last.name().equals("state")) {
                last = events.next();
            }
            assertThat(last.name()).isEqualTo("over");
        }
    }

    @Test
    void theStreamNeedsALogin() {
        admin.browser().get("/api/stream").expectProblem(401, "unauthorized");
        admin.browser().get("/api/overview").expectProblem(401, "unauthorized");
    }

    private void knowBoth() {
        calibration.on("GET /v1/routers", FakeRouter.list(first.registered("router-a"), second.registered("router-b")));
    }

    private void know(FakeRouter router) {
        calibration.on("GET /v1/routers", FakeRouter.list(router.registered("router-a")));
    }

    private JsonNode until(Predicate<JsonNode> isSo) {
        Browser browser = admin.browserOf("viewer");
        return Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> browser.get("/api/overview").expect(200).json().path("live"), isSo);
    }

    private int inFlight(JsonNode live) {
        return shown(live).path("decoders").path(0).path("inFlight").asInt(-1);
    }

    /** This test's pool. */
    private JsonNode shown(JsonNode live) {
        return live.path("pools")
                .valueStream()
                .filter(one -> one.path("name").asString().equals(pool))
                .findFirst()
                .orElseGet(() -> live.path("missing"));
    }

    private static JsonNode router(JsonNode live, String instance) {
        return live.path("routers")
                .valueStream()
                .filter(router -> router.path("instance").asString("").equals(instance))
                .findFirst()
                .orElseGet(() -> live.path("missing"));
    }

    private static JsonNode health(JsonNode live, String instance) {
        return router(live, instance).path("health");
    }
}
