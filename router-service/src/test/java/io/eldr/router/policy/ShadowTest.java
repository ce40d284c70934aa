package io.eldr.router.policy;

import static io.eldr.router.testing.SharedRouter.REGISTRY;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.core.load.LoadLedger;
import io.eldr.core.signature.EldrSigForm;
import io.eldr.router.testing.Fixtures;
import io.eldr.router.testing.SharedRouter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A shadow decides on what the live policy decided on, reserves nothing, and is compared with it. */
class ShadowTest {

    private static final int REQUESTS = 60;

    @Test
    void aShadowIsMeasuredAndReservesNothing() throws Exception {
        SharedRouter.servingPool("shadowed", 4);
        assertThat(shown("shadowed").has("shadow")).isFalse();
        REGISTRY.set("shadowed", "shadow_policy", "jsq");
        await().until(() -> shown("shadowed").at("/shadow/policy").asString().equals("jsq"));
        assertThat(shown("shadowed").has("figures")).isFalse();

        for (int i = 0; i < REQUESTS; i++) {
            assertThat(ROUTER.post(
                                    "/v1/route",
                                    body(
                                            "shadowed",
                                            "s" + i,
                                            "signature",
                                            Map.of("eldr_sig", EldrSigForm.write(Fixtures.counts(i % 3, 10)))))
                            .status())
                    .isEqualTo(200);
        }
        JsonNode figures = await().until(
                        () -> shown("shadowed").path("figures"),
                        found -> found.path("decisions").asInt() == REQUESTS);
        assertThat(figures.path("agreement").asDouble()).isBetween(0.0, 0.99);
        // Load alone never finds a decoder that is more loaded, and gives similarity away.
        assertThat(figures.path("meanLoadDifference").asDouble()).isLessThanOrEqualTo(0);
        assertThat(figures.path("meanSimilarityDifference").asDouble()).isLessThanOrEqualTo(0.1);
        assertThat(figures.has("meanPriceDifferenceMs"))
                .as("the artifact knows nothing of decoding")
                .isFalse();
        assertThat(figures.path("leftOut").asInt()).isZero();
        int inFlight = 0;
        for (JsonNode decoder : ROUTER.get("/v1/pools/shadowed/decoders").json().path("decoders")) {
            inFlight += decoder.path("inFlight").asInt();
        }
        assertThat(inFlight).isEqualTo(REQUESTS);

        JsonNode explained = ROUTER.get("/v1/decisions/s5").json();
        assertThat(explained.at("/shadow/policy").asString()).isEqualTo("jsq");
        assertThat(explained.at("/shadow/reason").asString()).isEqualTo("jsq");
        assertThat(explained.at("/shadow/agrees").asBoolean())
                .isEqualTo(explained
                        .at("/shadow/decoder")
                        .asString()
                        .equals(explained.at("/decision/decoder/id").asString()));
        await().until(() -> metrics()
                .contains("eldr_router_shadow_decisions{policy=\"eldr\",pool=\"shadowed\",shadow=\"jsq\"} 60.0"));

        REGISTRY.set("shadowed", "policy", "p2c");
        await().until(() -> shown("shadowed").path("policy").asString().equals("p2c"));
        assertThat(shown("shadowed").has("figures")).isFalse();
        await().until(() -> !metrics().contains("shadow=\"jsq\""));
    }

    @Test
    void aShadowOfTheSamePolicyMayHaveAnotherTau() {
        SharedRouter.servingPool("wider", 4);
        // Others that earlier tests started would count in the loads.
        await().until(() -> ROUTER.bean(LoadLedger.class).routers() == 1);
        REGISTRY.set("wider", "tau", 0.0);
        REGISTRY.set("wider", "shadow_policy", "eldr");
        REGISTRY.set("wider", "shadow_tau", 2.0);
        await().until(() -> shown("wider").at("/shadow/tau").asDouble() == 2);
        for (int i = 0; i < 20; i++) {
            ROUTER.post(
                    "/v1/route",
                    body("wider", "w" + i, "signature", Map.of("eldr_sig", EldrSigForm.write(Fixtures.counts(1, 10)))));
        }
        JsonNode figures = await().until(
                        () -> shown("wider").path("figures"),
                        found -> found.path("decisions").asInt() == 20);
        // The live one piles all on the nearest; the wide one sees three idle decoders beside it.
        assertThat(figures.path("agreement").asDouble()).isEqualTo(1 / 20.0);
        assertThat(figures.path("meanSimilarityDifference").asDouble()).isNegative();
        assertThat(figures.path("meanLoadDifference").asDouble()).isEqualTo(-9.5);
    }

    @Test
    void poolsThatAreNotThereHaveNoTrials() {
        assertThat(ROUTER.get("/v1/pools/nowhere/shadow").status()).isEqualTo(404);
        assertThat(ROUTER.get("/v1/pools/nowhere/switchback").status()).isEqualTo(404);
    }

    private static JsonNode shown(String pool) {
        return ROUTER.get("/v1/pools/" + pool + "/shadow").json();
    }

    private static String metrics() throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                            HttpRequest.newBuilder(URI.create(
                                            "http://127.0.0.1:" + ROUTER.managementPort() + "/actuator/prometheus"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }
}
