package io.eldr.router.policy;

import static io.eldr.router.testing.SharedRouter.CLOCK;
import static io.eldr.router.testing.SharedRouter.REGISTRY;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static io.eldr.router.testing.SharedRouter.STARVED_AFTER;
import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.core.artifact.Evidence;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.routing.BandRule;
import io.eldr.core.signature.EldrSigForm;
import io.eldr.router.testing.Fixtures;
import io.eldr.router.testing.SharedRouter;
import io.eldr.router.testing.TestRouter.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Policies of a pool at run time. */
class PolicySwitchTest {

    private static final List<String> POLICIES =
            List.of("jsq", "random", "round-robin", "p2c", "domain", "union", "eldr");

    @Test
    void policiesAreSwitchedUnderLoadAndNoRequestFails() throws Exception {
        SharedRouter.servingPool("switched", 4);
        AtomicBoolean done = new AtomicBoolean();
        Set<String> served = ConcurrentHashMap.newKeySet();
        List<Answer> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<Answer>>> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(threads.submit(() -> {
                    List<Answer> seen = new ArrayList<>();
                    while (!done.get()) {
                        Answer answer = route("switched", "dryRun", true);
                        seen.add(answer);
                        served.add(answer.json().path("policy").asString(""));
                    }
                    return seen;
                }));
            }
            try {
                for (String policy : POLICIES) {
                    served.remove(policy);
                    REGISTRY.set("switched", "policy", policy);
                    await().until(() -> served.contains(policy));
                }
            } finally {
                done.set(true);
            }
            for (Future<List<Answer>> client : clients) {
                answers.addAll(client.get());
            }
        }
        assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isEqualTo(200));
        assertThat(answers.stream()
                        .map(answer -> answer.json().path("policy").asString())
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(POLICIES);
    }

    @Test
    void labelsGoToTheDecodersThatCalibrationSetsAsideForThem() {
        SharedRouter.servingPool("set-aside", 4);
        REGISTRY.set("set-aside", "policy", "domain");
        await().until(() -> route("set-aside", "dryRun", true)
                .json()
                .path("reason")
                .asString()
                .equals("no-labels"));
        RoutingArtifact plain = Fixtures.artifact(2, 4);
        REGISTRY.publish(
                "set-aside",
                2,
                new RoutingArtifact(
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
                                Optional.empty(),
                                Map.of(),
                                Map.of("code", 0.75, "law", 0.25))));
        REGISTRY.activate("set-aside", 2);
        SharedRouter.awaitGeneration("set-aside", 2);
        List<String> code = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            JsonNode answer = route("set-aside", "requestId", "code-" + i, "label", "code")
                    .json();
            assertThat(answer.path("reason").asString()).isEqualTo("domain");
            code.add(answer.at("/decoder/id").asString());
        }
        assertThat(code).containsOnly("decoder-0", "decoder-1", "decoder-2");
        assertThat(route("set-aside", "dryRun", true, "label", "law")
                        .json()
                        .at("/decoder/id")
                        .asString())
                .isEqualTo("decoder-3");
        JsonNode unknown = route("set-aside", "dryRun", true, "label", "poetry").json();
        assertThat(unknown.path("policy").asString()).isEqualTo("domain");
        assertThat(unknown.path("reason").asString()).isEqualTo("jsq");
    }

    @Test
    void aHotDecoderLeavesTheBandOnceThePoolSaysSo() {
        SharedRouter.servingPool("heated", 4);
        REGISTRY.set("heated", "tau", 0.0);
        await().until(() ->
                route("heated", "dryRun", true).json().at("/band/tau").asDouble(1) == 0);
        String nearest = "";
        for (int i = 0; i < 8; i++) {
            nearest = route("heated", "requestId", "h" + i)
                    .json()
                    .at("/decoder/id")
                    .asString();
        }
        assertThat(route("heated", "dryRun", true).json().at("/decoder/id").asString())
                .isEqualTo(nearest);
        REGISTRY.jdbc()
                .sql("update pool set hot_factor = 1.5, hot_min_excess = 4, hot_kv_cap = 0.95 where name = 'heated'")
                .update();
        await().until(() ->
                route("heated", "dryRun", true).json().at("/band/tau").asDouble() == BandRule.WIDEST_TAU);
        assertThat(route("heated", "dryRun", true).json().path("reason").asString())
                .isEqualTo("widened");
        assertThat(route("heated", "dryRun", true).json().at("/decoder/id").asString())
                .isNotEqualTo(nearest);
    }

    @Test
    void aDecoderThatStandsIdleWhileAnotherQueuesIsRelieved() {
        SharedRouter.servingPool("starved", 3);
        REGISTRY.set("starved", "tau", 0.0);
        await().until(() ->
                route("starved", "dryRun", true).json().at("/band/tau").asDouble(1) == 0);
        for (int i = 0; i < 6; i++) {
            assertThat(route("starved", "requestId", "s" + i, "leaseSeconds", 600)
                            .json()
                            .path("reason")
                            .asString())
                    .isEqualTo("nearest");
        }
        // The router looks four times a second by the clock that the test moves.
        await().until(() -> {
            CLOCK.advance(STARVED_AFTER.dividedBy(6));
            return route("starved", "dryRun", true)
                    .json()
                    .path("reason")
                    .asString()
                    .equals("widened");
        });
        JsonNode relieved = route("starved", "requestId", "relief").json();
        assertThat(relieved.path("reason").asString()).isEqualTo("widened");
        assertThat(inFlight("starved", relieved.at("/decoder/id").asString())).isEqualTo(1);
    }

    private static int inFlight(String pool, String decoder) {
        for (JsonNode each :
                ROUTER.get("/v1/pools/" + pool + "/decoders").json().path("decoders")) {
            if (each.path("id").asString().equals(decoder)) {
                return each.path("inFlight").asInt();
            }
        }
        return -1;
    }

    private static Answer route(String pool, Object... more) {
        Map<String, Object> body = body(pool, "r", more);
        body.put("signature", Map.of("eldr_sig", EldrSigForm.write(Fixtures.counts(7, 10))));
        return ROUTER.post("/v1/route", body);
    }
}
