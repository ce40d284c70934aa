package io.eldr.router.policy;

import static io.eldr.router.testing.SharedRouter.REGISTRY;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.core.artifact.Evidence;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.placement.DecodePatterns;
import io.eldr.core.placement.PatternBasis;
import io.eldr.core.signature.EldrSigForm;
import io.eldr.router.testing.Fixtures;
import io.eldr.router.testing.SharedRouter;
import io.eldr.router.testing.TestRouter.Answer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Policy union of a pool. */
class UnionTest {
    @Test
    void itRoutesByPricesOnceAnArtifactSaysWhatClustersUse() {
        SharedRouter.servingPool("priced", 3);
        REGISTRY.set("priced", "policy", "union");
        await().until(() -> route("priced", 1, "dryRun", true)
                .json()
                .path("policy")
                .asString()
                .equals("union"));
        JsonNode without = route("priced", 1, "dryRun", true).json();
        assertThat(without.path("reason").asString()).isEqualTo("no-artifact");
        assertThat(without.path("degraded").asBoolean()).isTrue();
        REGISTRY.publish("priced", 2, withPatterns(Fixtures.artifact(2, 3)));
        REGISTRY.activate("priced", 2);
        SharedRouter.awaitGeneration("priced", 2);

        List<String> reservations = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            JsonNode answer = route("priced", i, "requestId", "priced-" + i).json();
            assertThat(answer.path("reason").asString()).isEqualTo("union");
            assertThat(answer.path("degraded").asBoolean()).isFalse();
            assertThat(answer.path("fallbacks")).hasSize(2);
            reservations.add(answer.at("/reservation/id").asString());
        }
        JsonNode last = ROUTER.get("/v1/decisions/priced-5").json();
        String chosen = last.at("/decision/decoder/id").asString();
        double price = decoder(last, chosen).path("priceMs").asDouble();
        for (JsonNode each : last.path("decoders")) {
            assertThat(each.path("priceMs").asDouble()).isGreaterThanOrEqualTo(price);
            assertThat(each.path("addedExperts").asDouble()).isPositive();
            assertThat(each.path("activeExperts").asDouble()).isNotNegative();
        }
        assertThat(experts("priced")).isPositive();

        reservations.forEach(id -> ROUTER.post("/v1/reservations/" + id + "/close", Map.of("outcome", "completed")));
        assertThat(experts("priced")).isZero();
    }

    @Test
    void asAShadowItSaysWhereItWouldHaveGone() {
        SharedRouter.servingPool("shadowed-union", 3);
        REGISTRY.publish("shadowed-union", 2, withPatterns(Fixtures.artifact(2, 3)));
        REGISTRY.activate("shadowed-union", 2);
        SharedRouter.awaitGeneration("shadowed-union", 2);
        REGISTRY.set("shadowed-union", "shadow_policy", "union");

        await().until(() -> {
            String request = "shadowed-" + System.nanoTime();
            route("shadowed-union", 3, "requestId", request);
            JsonNode shadow = ROUTER.get("/v1/decisions/" + request).json().path("shadow");
            return shadow.path("policy").asString("").equals("union")
                    && shadow.path("reason").asString("").equals("union");
        });
    }

    @Test
    void predictedCostSaysWhatOtherPoliciesGiveAway() {
        String pool = "costly";
        SharedRouter.servingPool(pool, 3);
        REGISTRY.publish(pool, 2, withPatterns(Fixtures.artifact(2, 3)));
        REGISTRY.activate(pool, 2);
        SharedRouter.awaitGeneration(pool, 2);
        REGISTRY.set(pool, "policy", "round-robin");
        REGISTRY.set(pool, "shadow_policy", "union");
        await().until(() -> shadow(pool).at("/shadow/policy").asString("").equals("union")
                && shadow(pool).path("policy").asString().equals("round-robin"));

        for (int i = 0; i < 12; i++) {
            route(pool, i, "requestId", pool + "-" + i);
            int decided = i + 1;
            // Prices go by what runs where: the shadow is done before the next request runs.
            await().pollInterval(Duration.ofMillis(5))
                    .until(() -> shadow(pool).at("/figures/decisions").asInt(0) == decided);
        }
        JsonNode figures = shadow(pool).path("figures");
        assertThat(figures.path("agreement").asDouble()).isLessThan(1);
        assertThat(figures.path("meanPriceDifferenceMs").asDouble()).isNegative();
        for (int i = 0; i < 12; i++) {
            JsonNode asked =
                    ROUTER.get("/v1/decisions/" + pool + "-" + i).json().path("shadow");
            assertThat(asked.path("priceDifferenceMs").asDouble(Double.NaN))
                    .as("the shadow takes the least price")
                    .isLessThanOrEqualTo(0);
        }

        REGISTRY.set(pool, "shadow_policy", "jsq");
        await().until(() -> shadow(pool).at("/shadow/policy").asString("").equals("jsq"));
        route(pool, 13, "requestId", pool + "-13");
        await().until(() -> shadow(pool).at("/figures/meanPriceDifferenceMs").isNumber());
    }

    private static JsonNode shadow(String pool) {
        return ROUTER.get("/v1/pools/" + pool + "/shadow").json();
    }

    private static JsonNode decoder(JsonNode explanation, String id) {
        for (JsonNode each : explanation.path("decoders")) {
            if (each.path("id").asString().equals(id)) {
                return each;
            }
        }
        throw new AssertionError("no decoder " + id);
    }

    /** The expected active experts of all decoders of a pool. */
    private static double experts(String pool) {
        return ROUTER
                .bean(MeterRegistry.class)
                .find("eldr.router.decoder.expected.experts")
                .tag("pool", pool)
                .gauges()
                .stream()
                .mapToDouble(Gauge::value)
                .sum();
    }

    private static RoutingArtifact withPatterns(RoutingArtifact plain) {
        int clusters = plain.clusters();
        int cells = Fixtures.GEOMETRY.cells();
        double[] probabilities = new double[clusters * cells];
        Arrays.setAll(probabilities, i -> 0.5 / (1 + (i * 7L + i / cells) % Fixtures.GEOMETRY.experts()));
        return new RoutingArtifact(
                plain.model(),
                plain.spec(),
                plain.centroids(),
                plain.slots(),
                plain.recommendedTau(),
                new Evidence(
                        9,
                        1,
                        Map.of(),
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        Optional.of(DecodePatterns.of(
                                Fixtures.GEOMETRY.layers(),
                                Fixtures.GEOMETRY.experts(),
                                Collections.nCopies(clusters, PatternBasis.DECODE),
                                probabilities)),
                        Map.of(),
                        Map.of()));
    }

    private static Answer route(String pool, int seed, Object... more) {
        Map<String, Object> body = body(pool, "r", more);
        body.put("signature", Map.of("eldr_sig", EldrSigForm.write(Fixtures.counts(seed, 10))));
        return ROUTER.post("/v1/route", body);
    }
}
