package io.eldr.router.route;

import static io.eldr.router.testing.SharedRouter.REGISTRY;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.load.Incarnation;
import io.eldr.core.load.LoadView;
import io.eldr.core.routing.ActiveArtifact;
import io.eldr.core.routing.BandRule;
import io.eldr.core.routing.Decision;
import io.eldr.core.routing.DecisionRequest;
import io.eldr.core.routing.Decoder;
import io.eldr.core.routing.PolicyName;
import io.eldr.core.routing.PoolSnapshot;
import io.eldr.core.signature.EldrForm;
import io.eldr.core.signature.EldrSigForm;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.RawForm;
import io.eldr.core.signature.Signature;
import io.eldr.router.testing.Fixtures;
import io.eldr.router.testing.SharedRouter;
import io.eldr.router.testing.TestRouter.Answer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Decisions over HTTP. */
class RouteTest {

    private static RoutingArtifact artifact;

    @BeforeAll
    static void serve() {
        artifact = SharedRouter.servingPool("route", 6);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void anAnswerIsWhatThePolicyOfTheCoreDecides(long seed) {
        ExpertCounts counts = Fixtures.counts(seed, 10);
        JsonNode answer = dryRun(sig(counts)).json();
        Decision.Chosen expected = decideWithTheCore(counts);

        assertThat(answer.at("/decoder/id").asString())
                .isEqualTo(expected.decoder().id());
        assertThat(answer.path("reason").asString()).isEqualTo(expected.reason().id());
        assertThat(answer.path("cluster").asInt()).isEqualTo(expected.cluster().getAsInt());
        assertThat(ids(answer.path("fallbacks")))
                .isEqualTo(expected.fallbacks().stream().map(Decoder::id).toList());
        assertThat(ids(answer.at("/band/members")))
                .isEqualTo(expected.band().orElseThrow().members().stream()
                        .map(member -> member.decoder().id())
                        .toList());
        Signature signature = artifact.spec().signatureOf(counts);
        assertThat(answer.path("similarity").asDouble())
                .isCloseTo(artifact.centroids().similarity(expected.cluster().getAsInt(), signature), within(1e-5));
    }

    @Test
    void theSameCountsAreTheSameRequestInEveryForm() {
        ExpertCounts counts = Fixtures.counts(77, 10);
        JsonNode sig = dryRun(sig(counts)).json();
        JsonNode eldr = dryRun(Map.of("eldr", eldr(counts, 10))).json();
        JsonNode raw = ROUTER.postRaw(
                        "/v1/route?pool=route&requestId=forms&promptTokens=10&dryRun=true", RawForm.write(counts))
                .json();
        assertThat(eldr.path("band")).isEqualTo(sig.path("band"));
        assertThat(raw.path("band")).isEqualTo(sig.path("band"));
        assertThat(raw.path("similarity")).isEqualTo(sig.path("similarity"));
    }

    @Test
    void aDryRunOpensNothing() {
        Answer answer = ROUTER.post("/v1/route", body("route", "dry", "dryRun", true));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().has("reservation")).isFalse();
        assertThat(inFlight("route")).allSatisfy(count -> assertThat(count).isZero());
        assertThat(ROUTER.get("/v1/decisions/dry").status()).isEqualTo(404);
    }

    @Test
    void aRequestGoesOnlyToItsCandidatesAndNeverToThoseExcluded() {
        for (int i = 0; i < 6; i++) {
            String only = "decoder-" + i;
            JsonNode answer = ROUTER.post(
                            "/v1/route",
                            body("route", "only", "dryRun", true, "candidates", List.of(only), "exclude", List.of()))
                    .json();
            assertThat(answer.at("/decoder/id").asString()).isEqualTo(only);
            assertThat(answer.path("fallbacks")).isEmpty();
            JsonNode other = ROUTER.postRaw(
                            "/v1/route?pool=route&requestId=not&promptTokens=1&dryRun=true&exclude=" + only
                                    + ",decoder-9&candidates=decoder-0&candidates=decoder-1&candidates=" + only,
                            RawForm.write(Fixtures.counts(i, 10)))
                    .json();
            assertThat(other.at("/decoder/id").asString())
                    .isIn("decoder-0", "decoder-1")
                    .isNotEqualTo(only);
        }
    }

    @Test
    void withoutASignatureTheLeastLoadedIsChosenAndTheAnswerSaysSo() {
        SharedRouter.servingPool("unsigned", 3);
        List<String> chosen = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            JsonNode answer =
                    ROUTER.post("/v1/route", body("unsigned", "u" + i)).json();
            assertThat(answer.path("reason").asString()).isEqualTo("no-signature");
            assertThat(answer.has("band")).isFalse();
            chosen.add(answer.at("/decoder/id").asString());
        }
        assertThat(chosen).containsExactlyInAnyOrder("decoder-0", "decoder-1", "decoder-2");
        ExpertCounts zero = ExpertCounts.zero(4, 8);
        JsonNode answer = ROUTER.postRaw("/v1/route?pool=unsigned&requestId=zero&promptTokens=1", RawForm.write(zero))
                .json();
        assertThat(answer.path("reason").asString()).isEqualTo("no-signature");
    }

    @Test
    void withoutAnArtifactTheLeastLoadedIsChosenAndThePoolIsDegraded() {
        REGISTRY.pool("bare");
        REGISTRY.decoders("bare", 2);
        await().until(() ->
                ROUTER.post("/v1/route", body("bare", "probe", "dryRun", true)).status() == 200);
        JsonNode answer = ROUTER.post("/v1/route", body("bare", "b", "signature", sig(Fixtures.counts(1, 10))))
                .json();
        assertThat(answer.path("reason").asString()).isEqualTo("no-artifact");
        assertThat(answer.path("degraded").asBoolean()).isTrue();
        assertThat(answer.path("generation").asLong()).isZero();
        assertThat(answer.has("artifactVersion")).isFalse();
        Answer ready = ROUTER.get("/readyz");
        assertThat(ready.status()).isEqualTo(200);
        assertThat(ready.json().path("degraded").asBoolean()).isTrue();
    }

    @Test
    void eachPolicyOfAPoolIsFollowedAndNamed() {
        SharedRouter.servingPool("policies", 3);
        for (String policy : List.of("random", "round-robin", "jsq", "p2c", "eldr")) {
            REGISTRY.set("policies", "policy", policy);
            await().until(() -> {
                JsonNode answer = ROUTER.post(
                                "/v1/route",
                                body("policies", "p", "dryRun", true, "signature", sig(Fixtures.counts(1, 10))))
                        .json();
                return answer.path("policy").asString().equals(policy)
                        && (policy.equals("eldr")
                                || answer.path("reason").asString().equals(policy));
            });
        }
    }

    @Test
    void aPoolsOwnTauAndMinCandidatesWinOverTheArtifact() {
        SharedRouter.servingPool("tau", 4);
        REGISTRY.set("tau", "tau", 2.0);
        await().until(() ->
                ROUTER.post("/v1/route", body("tau", "t", "dryRun", true, "signature", sig(Fixtures.counts(1, 10))))
                                .json()
                                .at("/band/members")
                                .size()
                        == 4);
        REGISTRY.set("tau", "tau", 0.0);
        await().until(() ->
                ROUTER.post("/v1/route", body("tau", "t", "dryRun", true, "signature", sig(Fixtures.counts(1, 10))))
                                .json()
                                .at("/band/members")
                                .size()
                        == 1);
    }

    @Test
    void noEligibleDecoderIs503AndAFullOneIs429() {
        REGISTRY.pool("full");
        REGISTRY.worker("full", "one", "http://127.0.0.1:1", "none");
        REGISTRY.setWorker("full", "one", "max_in_flight", 1);
        await().until(() -> ROUTER.get("/v1/pools/full/decoders")
                        .json()
                        .at("/decoders/0/maxInFlight")
                        .asInt(0)
                == 1);

        Answer nobody = ROUTER.post("/v1/route", body("full", "f", "exclude", List.of("one")));
        assertThat(nobody.status()).isEqualTo(503);
        assertThat(nobody.json().path("type").asString()).isEqualTo("https://eldr.io/problems/no-decoder");
        assertThat(nobody.response().headers().firstValue("Retry-After")).isPresent();

        assertThat(ROUTER.post("/v1/route", body("full", "f1")).status()).isEqualTo(200);
        Answer full = ROUTER.post("/v1/route", body("full", "f2"));
        assertThat(full.status()).isEqualTo(429);
        assertThat(full.json().path("type").asString()).isEqualTo("https://eldr.io/problems/saturated");
        assertThat(full.response().headers().firstValue("Retry-After")).isPresent();
    }

    @Test
    void anUnknownPoolIs404() {
        assertThat(ROUTER.post("/v1/route", body("nowhere", "n")).status()).isEqualTo(404);
        assertThat(ROUTER.get("/v1/pools/nowhere/decoders").status()).isEqualTo(404);
        assertThat(ROUTER.get("/v1/pools/nowhere/artifact").status()).isEqualTo(404);
        assertThat(ROUTER.get("/v1/decisions/nobody").status()).isEqualTo(404);
    }

    @Test
    void aRecentDecisionIsExplained() {
        SharedRouter.servingPool("explained", 3);
        ExpertCounts counts = Fixtures.counts(5, 10);
        JsonNode answer = ROUTER.post(
                        "/v1/route",
                        body(
                                "explained",
                                "why/this?",
                                "label",
                                "code",
                                "signature",
                                sig(counts),
                                "exclude",
                                List.of("x", "decoder-1")))
                .json();
        JsonNode why = ROUTER.get("/v1/decisions/why%2Fthis%3F").json();
        assertThat(why.at("/decision/decoder")).isEqualTo(answer.path("decoder"));
        assertThat(why.at("/decision/band")).isEqualTo(answer.path("band"));
        assertThat(why.path("label").asString()).isEqualTo("code");
        assertThat(ids(why.path("decoders"))).containsExactly("decoder-0", "decoder-1", "decoder-2");
        Signature signature = artifactOf3().spec().signatureOf(counts);
        for (JsonNode decoder : why.path("decoders")) {
            assertThat(decoder.path("similarity").asDouble())
                    .isCloseTo(
                            artifactOf3()
                                    .centroids()
                                    .similarity(decoder.path("cluster").asInt(), signature),
                            within(1e-5));
            assertThat(decoder.path("inFlight").asInt()).isZero();
        }
        assertThat(why.has("candidates")).isFalse();
        // Names of no decoder are not kept.
        assertThat(why.path("exclude").valueStream().map(JsonNode::asString)).containsExactly("decoder-1");
    }

    @Test
    void decodersAreShownWithTheirLoadAndShare() {
        SharedRouter.servingPool("shown", 3);
        for (int i = 0; i < 3; i++) {
            ROUTER.post("/v1/route", body("shown", "s" + i, "candidates", List.of("decoder-1")));
        }
        JsonNode shown = ROUTER.get("/v1/pools/shown/decoders").json();
        assertThat(shown.path("policy").asString()).isEqualTo("eldr");
        JsonNode loaded = shown.path("decoders").get(1);
        assertThat(loaded.path("id").asString()).isEqualTo("decoder-1");
        assertThat(loaded.path("state").asString()).isEqualTo("READY");
        assertThat(loaded.path("inFlight").asInt()).isEqualTo(3);
        // Without reports of the engine: as much as if every router had sent as much.
        assertThat(loaded.path("load").asDouble()).isGreaterThanOrEqualTo(3);
        assertThat(loaded.path("recentShare").asDouble()).isEqualTo(1);
        assertThat(ROUTER.get("/v1/pools").json().path("pools"))
                .anySatisfy(pool -> assertThat(pool.path("name").asString()).isEqualTo("shown"));
    }

    private static RoutingArtifact artifactOf3() {
        return Fixtures.artifact(1, 3);
    }

    private static Decision.Chosen decideWithTheCore(ExpertCounts counts) {
        List<String> slots = Fixtures.slots(6);
        PoolSnapshot snapshot = PoolSnapshot.of(
                "route",
                1,
                Optional.of(ActiveArtifact.of(1, artifact, slots)),
                slots.stream()
                        .map(slot -> Decoder.of(new Incarnation(slot, "1"), "http://" + slot))
                        .toList(),
                new BandRule(0.1, 2),
                false);
        Decision decision = PolicyName.ELDR
                .create()
                .decide(DecisionRequest.of(counts), snapshot, LoadView.idle(6), new SplittableRandom(1));
        return (Decision.Chosen) decision;
    }

    private static Answer dryRun(Map<String, ?> signature) {
        Answer answer = ROUTER.post("/v1/route", body("route", "dry-run", "dryRun", true, "signature", signature));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer;
    }

    static Map<String, String> sig(ExpertCounts counts) {
        return Map.of("eldr_sig", EldrSigForm.write(counts));
    }

    static Map<String, Object> eldr(ExpertCounts counts, long tokens) {
        EldrForm form = EldrForm.write(counts, tokens);
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("v", form.v().orElseThrow());
        json.put("layers", form.layers().orElseThrow());
        json.put("experts", form.experts().orElseThrow());
        json.put("tokens", form.tokens().orElseThrow());
        json.put("dtype", form.dtype().orElseThrow());
        json.put("counts", form.counts().orElseThrow());
        return json;
    }

    private static List<String> ids(JsonNode objects) {
        List<String> ids = new ArrayList<>();
        objects.forEach(object -> ids.add(object.path("id").asString()));
        return ids;
    }

    private static List<Integer> inFlight(String pool) {
        List<Integer> counts = new ArrayList<>();
        ROUTER.get("/v1/pools/" + pool + "/decoders")
                .json()
                .path("decoders")
                .forEach(decoder -> counts.add(decoder.path("inFlight").asInt()));
        return counts;
    }
}
