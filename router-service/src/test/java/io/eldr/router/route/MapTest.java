package io.eldr.router.route;

import static io.eldr.router.testing.SharedRouter.ROUTER;
import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.clustering.PrincipalPlane;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.router.testing.Fixtures;
import io.eldr.router.testing.SharedRouter;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Recent decisions on the plane of their centroids. */
class MapTest {
    private static final int REQUESTS = 12;

    private static RoutingArtifact artifact;
    private static long decisionsBefore;

    @BeforeAll
    static void decide() {
        artifact = SharedRouter.servingPool("map", 4);
        decisionsBefore = decisions();
        for (int i = 0; i < REQUESTS; i++) {
            assertThat(ROUTER.post(
                                    "/v1/route",
                                    body(
                                            "map",
                                            "map-" + i,
                                            "label",
                                            "label-" + i % 2,
                                            "signature",
                                            RouteTest.sig(Fixtures.counts(i, 10))))
                            .status())
                    .isEqualTo(200);
        }
        assertThat(ROUTER.post("/v1/route", body("map", "map-without-signature"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void everyDecisionLiesWhereItsSignatureProjects() {
        JsonNode map = map("?limit=5000");
        PrincipalPlane plane = PrincipalPlane.of(artifact.centroids());

        assertThat(map.path("artifactVersion").asInt()).isEqualTo(1);
        assertThat(map.path("points"))
                .as("the one without a signature is left out")
                .hasSize(REQUESTS);
        for (JsonNode point : map.path("points")) {
            int number = Integer.parseInt(point.path("requestId").asString().substring("map-".length()));
            ExpertCounts counts = Fixtures.counts(number, 10);
            double[] similarities =
                    artifact.centroids().similarities(artifact.spec().signatureOf(counts));
            assertThat(point.path("x").asDouble()).isCloseTo(plane.coordinate(0, similarities), within(1e-3));
            assertThat(point.path("y").asDouble()).isCloseTo(plane.coordinate(1, similarities), within(1e-3));
            assertThat(similarities[point.path("nearest").asInt()])
                    .isCloseTo(Arrays.stream(similarities).max().orElseThrow(), within(1e-4));
            assertThat(point.path("label").asString()).isEqualTo("label-" + number % 2);
        }
        assertThat(map.path("centroids").get(2).path("slot").asString())
                .isEqualTo(artifact.slots().get(2));
        assertThat(map.path("centroids").get(2).path("x").asDouble()).isCloseTo(plane.ofCentroid(0, 2), within(1e-9));
    }

    @Test
    void countsWhereRequestsWentAndTheirLabels() {
        JsonNode map = map("?limit=3");

        assertThat(map.path("points")).hasSize(3);
        assertThat(map.path("points").get(0).path("requestId").asString()).isEqualTo("map-" + (REQUESTS - 1));
        assertThat(sum(map.path("spill"))).as("all that is remembered").isEqualTo(REQUESTS);
        assertThat(sum(map.path("labels"))).isEqualTo(REQUESTS);
    }

    @Test
    void aPoolWithoutAnArtifactHasAnEmptyMap() {
        SharedRouter.REGISTRY.pool("map-bare");
        SharedRouter.awaitGeneration("map-bare", 0);

        JsonNode map = ROUTER.get("/v1/pools/map-bare/map").json();

        assertThat(map.path("generation").asLong(-1)).isZero();
        assertThat(map.path("points")).isEmpty();
        assertThat(map.has("artifactVersion")).isFalse();
    }

    @Test
    void refusesALimitThatMakesNoSense() {
        assertThat(ROUTER.get("/v1/pools/map/map?limit=-1").field()).isEqualTo("limit");
        assertThat(ROUTER.get("/v1/pools/map/map?limit=5001").field()).isEqualTo("limit");
        assertThat(ROUTER.get("/v1/pools/no-such-pool/map").status()).isEqualTo(404);
    }

    @Test
    void theDecodersSayWhyDecisionsWereMade() {
        JsonNode decoders = ROUTER.get("/v1/pools/map/decoders").json();

        assertThat(decisions() - decisionsBefore).isEqualTo(REQUESTS + 1);
        assertThat(decoders.path("recentReasons").path("no-signature").asInt()).isEqualTo(1);
        assertThat(sum(decoders.path("recentReasons"))).isEqualTo(REQUESTS + 1);
        assertThat(decoders.path("decoders")
                        .valueStream()
                        .mapToInt(decoder -> decoder.path("recentDecisions").asInt())
                        .sum())
                .isEqualTo(REQUESTS + 1);
    }

    /** Since the router started. */
    private static long decisions() {
        return ROUTER.get("/v1/pools/map/decoders").json().path("decisions").asLong();
    }

    private static JsonNode map(String query) {
        return ROUTER.get("/v1/pools/map/map" + query).json();
    }

    /** Of all numbers, however deep. */
    private static int sum(JsonNode node) {
        return node.isNumber()
                ? node.asInt()
                : node.valueStream().mapToInt(MapTest::sum).sum();
    }
}
