package io.eldr.admin.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.admin.testing.Browser;
import io.eldr.admin.testing.FakeService;
import io.eldr.admin.testing.TestAdmin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** What the dashboard gathers from several services for one page. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterTest {
    private final FakeService calibration = FakeService.start();
    private final FakeService first = FakeService.start();
    private final FakeService second = FakeService.start();
    private final TestAdmin admin = TestAdmin.start(
            calibration.address(),
            "eldr.admin.live.timeout=30s",
            "eldr.admin.routers[0].name=router-a",
            "eldr.admin.routers[0].url=" + first.address(),
            "eldr.admin.routers[1].name=router-b",
            "eldr.admin.routers[1].url=" + second.address());

    private final Browser browser = admin.browserOf("viewer");

    @AfterAll
    void stop() {
        admin.close();
        first.close();
        second.close();
        calibration.close();
    }

    @Test
    void showsTheClustersOfTheVersionThatIsServed() {
        calibration.on("GET /v1/pools/served/activations/current", "{\"version\":7,\"generation\":9}");
        calibration.on("GET /v1/pools/served/artifacts/7/clusters", "{\"version\":7}");
        calibration.on("GET /v1/pools/served/artifacts/3/clusters", "{\"version\":3}");

        assertThat(browser.get("/api/pools/served/clusters").expect(200).text()).isEqualTo("{\"version\":7}");
        assertThat(browser.get("/api/pools/served/clusters?version=3")
                        .expect(200)
                        .text())
                .isEqualTo("{\"version\":3}");
    }

    @Test
    void saysWhatTheServiceSaysWhereNothingIsServed() {
        browser.get("/api/pools/empty/clusters").expectProblem(404, "not-found");
    }

    @Test
    void putsTheRoutersMapsTogether() {
        first.on("GET /v1/pools/both/map?limit=3", map(4, 2, "a", "[[3,1],[0,2]]", 10, 12));
        second.on("GET /v1/pools/both/map?limit=3", map(4, 2, "b", "[[1,0],[2,5]]", 11, 13));

        JsonNode map = browser.get("/api/pools/both/map?limit=3").expect(200).json();

        assertThat(map.path("generation").asLong()).isEqualTo(4);
        assertThat(map.path("points")
                        .valueStream()
                        .map(point -> point.path("requestId").asString()))
                .as("the newest of both")
                .containsExactly("b-13", "a-12", "b-11");
        assertThat(map.path("spill").toString()).isEqualTo("[[4,1],[2,7]]");
        assertThat(map.path("labels").get(0).path("law").asInt()).isEqualTo(2);
        assertThat(map.path("missing")).isEmpty();
    }

    @Test
    void leavesOutARouterThatServesAnotherVersionAndSaysSo() {
        first.on("GET /v1/pools/behind/map?limit=1000", map(4, 2, "a", "[[3,1],[0,2]]", 10));
        second.on("GET /v1/pools/behind/map?limit=1000", map(3, 1, "b", "[[1,0],[2,5]]", 11));

        JsonNode map = browser.get("/api/pools/behind/map").expect(200).json();

        assertThat(map.path("points")).hasSize(1);
        assertThat(map.path("missing").get(0).path("instance").asString()).isEqualTo("router-b");
        assertThat(map.path("missing").get(0).path("reason").asString()).isEqualTo("serves generation 3");
    }

    @Test
    void aPoolThatNoRouterServesHasNoMap() {
        browser.get("/api/pools/nowhere/map").expectProblem(404, "not-found");
        browser.get("/api/pools/nowhere/map?limit=-1").expectProblem(400, "invalid-input");
    }

    @Test
    void findsWhoDecidedWhateverTheRequestIsCalled() {
        second.on("GET /v1/decisions/a%2Fb%20%3Cc%3E", "{\"decision\":{\"decoder\":{\"id\":\"d-1\"}}}");

        assertThat(browser.get("/api/decisions?requestId=a%2Fb%20%3Cc%3E")
                        .expect(200)
                        .json()
                        .at("/decision/decoder/id")
                        .asString())
                .isEqualTo("d-1");
        browser.get("/api/decisions?requestId=unknown").expectProblem(404, "not-found");
        second.on("GET /v1/decisions/lost", 503, "application/problem+json", "{}");
        browser.get("/api/decisions?requestId=lost").expectProblem(503, "unavailable");
    }

    private static String map(long generation, int version, String router, String spill, int... seconds) {
        StringBuilder points = new StringBuilder();
        for (int i = seconds.length - 1; i >= 0; i--) {
            points.append(points.isEmpty() ? "" : ",").append("""
                {"requestId":"%s-%d","at":"2026-01-01T00:00:%dZ","decoder":"d-0","nearest":0,"cluster":1,\
                "similarity":0.9,"reason":"band","x":0.5,"y":-0.25}\
                """.formatted(router, seconds[i], seconds[i]));
        }
        return """
            {"pool":"p","generation":%d,"artifactVersion":%d,"explained":[0.6,0.3],"centroids":[\
            {"cluster":0,"slot":"d-0","x":1.0,"y":0.0},{"cluster":1,"slot":"d-1","x":-1.0,"y":0.0}],"points":[%s],\
            "spill":%s,"labels":[{"law":1},{}]}\
            """.formatted(generation, version, points, spill);
    }
}
