package io.eldr.router.route;

import static io.eldr.router.testing.SharedRouter.CLOCK;
import static io.eldr.router.testing.SharedRouter.REGISTRY;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.core.signature.EldrForm;
import io.eldr.core.signature.EldrSigForm;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.router.pool.Pools;
import io.eldr.router.testing.Fixtures;
import io.eldr.router.testing.SharedRouter;
import io.eldr.router.testing.TestRouter.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Renewing, moving away from a decoder that failed, and the counts that come with a close, over HTTP. */
class ReservationMoveTest {

    private static final String POOL = "moving";
    private static final int TOKENS = 7;
    private static final ExpertCounts COUNTS = Fixtures.wholeCounts(3, TOKENS);

    @BeforeAll
    static void serve() {
        SharedRouter.servingPool(POOL, 3);
    }

    @Test
    void aRenewedLeaseRunsAnew() {
        Answer opened = ROUTER.post("/v1/route", body(POOL, "long", "leaseSeconds", 100));
        CLOCK.advance(Duration.ofSeconds(90));

        Answer renewed = ROUTER.post(path(opened, "renew"), Map.of());
        assertThat(renewed.status()).as(renewed.text()).isEqualTo(200);
        assertThat(renewed.json().path("id").asString()).isEqualTo(id(opened));
        assertThat(expiry(renewed.json()))
                .isBetween(CLOCK.instant().plusSeconds(90), CLOCK.instant().plusSeconds(101));
        CLOCK.advance(Duration.ofSeconds(90));
        Answer again = ROUTER.post(path(opened, "renew"), Map.of("leaseSeconds", 300));
        assertThat(expiry(again.json()))
                .isBetween(CLOCK.instant().plusSeconds(290), CLOCK.instant().plusSeconds(301));
        assertThat(ROUTER.post(path(opened, "renew")).status()).isEqualTo(200);
        assertThat(ROUTER.post("/v1/route", body(POOL, "long")).json().at("/reservation/id"))
                .isEqualTo(opened.json().at("/reservation/id"));
        CLOCK.advance(Duration.ofSeconds(301));
        assertThat(ROUTER.post(path(opened, "renew")).status()).isEqualTo(410);
    }

    @Test
    void whatWasClosedOrNeverOpenedIsNotRenewed() {
        Answer opened = ROUTER.post("/v1/route", body(POOL, "short"));
        ROUTER.delete("/v1/reservations/" + id(opened));

        assertThat(ROUTER.post(path(opened, "renew")).status()).isEqualTo(410);
        assertThat(ROUTER.post(path(opened, "reassign"), failed("decoder-0")).status())
                .isEqualTo(410);
        String unknown = "/v1/reservations/" + id(opened).split("\\.", 2)[0] + ".0000000000000000";
        assertThat(ROUTER.post(unknown + "/renew").status()).isEqualTo(404);
        assertThat(ROUTER.post(unknown + "/reassign", failed("decoder-0")).status())
                .isEqualTo(404);
        assertThat(ROUTER.post("/v1/reservations/x/renew").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '|',
            value = {
                "renew, leaseSeconds, |{'leaseSeconds':0}|",
                "renew, leaseSeconds, |{'leaseSeconds':601}|",
                "renew, leaseSeconds, |{'leaseSeconds':'1'}|",
                "renew, seconds, |{'seconds':1}|",
                "reassign, failed, |{}|",
                "reassign, failed, |{'failed':''}|",
                "reassign, failed, |{'failed':7}|",
                "reassign, decoder, |{'failed':'decoder-0','decoder':'x'}|"
            })
    void aBadBodyIs400AndNamesTheField(String deed, String field, String json) {
        Answer opened = ROUTER.post("/v1/route", body(POOL, "bad"));
        Answer answer = ROUTER.post(path(opened, deed), json.replace('\'', '"'));
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.field()).as(answer.text()).isEqualTo(field);
        ROUTER.delete("/v1/reservations/" + id(opened));
    }

    @Test
    void aRequestWhoseDecoderFailedGoesOnToItsFallbacksInOrderUntilNoneIsLeft() {
        Answer opened = ROUTER.post("/v1/route", body(POOL, "moved", "leaseSeconds", 100));
        String first = decoder(opened);
        List<String> fallbacks = new ArrayList<>();
        opened.json()
                .path("fallbacks")
                .forEach(each -> fallbacks.add(each.path("id").asString()));
        CLOCK.advance(Duration.ofSeconds(50));

        Answer second = ROUTER.post(path(opened, "reassign"), failed(first));
        assertThat(second.status()).as(second.text()).isEqualTo(200);
        assertThat(decoder(second)).isEqualTo(fallbacks.getFirst());
        assertThat(id(second)).isEqualTo(id(opened));
        assertThat(expiry(second.json().path("reservation")))
                .isBetween(CLOCK.instant().plusSeconds(90), CLOCK.instant().plusSeconds(101));
        assertThat(second.json().path("fallbacks")).hasSize(1);
        assertThat(inFlight(first)).isZero();
        assertThat(inFlight(fallbacks.getFirst())).isEqualTo(1);
        // Said again, because the answer was lost; and asked again for the decision.
        assertThat(ROUTER.post(path(opened, "reassign"), failed(first)).json()).isEqualTo(second.json());
        assertThat(ROUTER.post("/v1/route", body(POOL, "moved")).json()).isEqualTo(second.json());
        assertThat(ROUTER.post(path(opened, "reassign"), failed(fallbacks.getLast()))
                        .status())
                .isEqualTo(409);

        Answer third = ROUTER.post(path(opened, "reassign"), failed(fallbacks.getFirst()));
        assertThat(decoder(third)).isEqualTo(fallbacks.getLast());
        assertThat(third.json().path("fallbacks")).isEmpty();
        Answer last = ROUTER.post(path(opened, "reassign"), failed(fallbacks.getLast()));
        assertThat(last.status()).isEqualTo(503);
        assertThat(last.response().headers().firstValue("Retry-After")).isPresent();
        assertThat(last.json().path("type").asString()).isEqualTo("https://eldr.io/problems/no-decoder");
        assertThat(ROUTER.delete("/v1/reservations/" + id(opened)).status()).isEqualTo(204);
        assertThat(inFlight("decoder-0") + inFlight("decoder-1") + inFlight("decoder-2"))
                .isZero();
        // The decision is explained as it was made.
        assertThat(ROUTER.get("/v1/decisions/moved")
                        .json()
                        .at("/decision/decoder/id")
                        .asString(first))
                .isEqualTo(first);
    }

    @Test
    void fallbacksThatGetNoTrafficAreSkipped() {
        String pool = "moving-on";
        SharedRouter.servingPool(pool, 3);
        Answer opened = ROUTER.post("/v1/route", body(pool, "m"));
        String next = opened.json().at("/fallbacks/0/id").asString();
        REGISTRY.setWorker(pool, next, "desired_state", "draining");
        await().until(() -> ROUTER.bean(Pools.class)
                        .find(pool)
                        .orElseThrow()
                        .state()
                        .forDecisions()
                        .snapshot()
                        .decoders()
                        .size()
                == 2);

        Answer moved = ROUTER.post(path(opened, "reassign"), failed(decoder(opened)));

        assertThat(decoder(moved)).isEqualTo(opened.json().at("/fallbacks/1/id").asString());
        ROUTER.delete("/v1/reservations/" + id(opened));
    }

    @Test
    void decodeCountsAreTakenInEitherFormForAllTokensOrAllButTheFirst() {
        for (int decodeTokens : new int[] {TOKENS, TOKENS + 1}) {
            Answer opened = ROUTER.post("/v1/route", body(POOL, "counted-" + decodeTokens));
            assertThat(ROUTER.post(
                                    path(opened, "close"),
                                    Map.of(
                                            "outcome",
                                            "completed",
                                            "decodeTokens",
                                            decodeTokens,
                                            "decodeCounts",
                                            Map.of("eldr_sig", EldrSigForm.write(COUNTS))))
                            .status())
                    .isEqualTo(204);
        }
        EldrForm form = EldrForm.write(COUNTS, TOKENS);
        Answer opened = ROUTER.post("/v1/route", body(POOL, "counted"));
        Answer closed = ROUTER.post(
                path(opened, "close"),
                Map.of(
                        "outcome",
                        "completed",
                        "decodeCounts",
                        Map.of(
                                "eldr",
                                Map.of(
                                        "v",
                                        1,
                                        "layers",
                                        Fixtures.GEOMETRY.layers(),
                                        "experts",
                                        Fixtures.GEOMETRY.experts(),
                                        "tokens",
                                        TOKENS,
                                        "dtype",
                                        "u16",
                                        "counts",
                                        form.counts().orElseThrow()))));
        assertThat(closed.status()).as(closed.text()).isEqualTo(204);
    }

    @Test
    void decodeCountsThatDoNotAddUpAreRefusedAndCloseNothing() {
        Answer opened = ROUTER.post("/v1/route", body(POOL, "miscounted"));
        int[] cells = COUNTS.toArray();
        cells[0]++;
        ExpertCounts odd = ExpertCounts.of(COUNTS.layers(), COUNTS.experts(), cells);
        ExpertCounts none = ExpertCounts.zero(COUNTS.layers(), COUNTS.experts());
        for (ExpertCounts bad : List.of(odd, none)) {
            assertRefused(opened, "decodeCounts", Map.of("eldr_sig", EldrSigForm.write(bad)), TOKENS);
        }
        assertRefused(opened, "decodeCounts", Map.of("eldr_sig", EldrSigForm.write(COUNTS)), TOKENS + 2);
        assertRefused(opened, "decodeCounts.eldr_sig", Map.of("eldr_sig", "AAAA"), TOKENS);
        assertRefused(opened, "decodeCounts.eldr.v", Map.of("eldr", Map.of()), TOKENS);
        assertThat(ROUTER.delete("/v1/reservations/" + id(opened)).status()).isEqualTo(204);
    }

    private static void assertRefused(Answer opened, String field, Map<String, ?> counts, int tokens) {
        Answer answer = ROUTER.post(
                path(opened, "close"), Map.of("outcome", "completed", "decodeTokens", tokens, "decodeCounts", counts));
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.field()).as(answer.text()).isEqualTo(field);
    }

    private static Map<String, String> failed(String decoder) {
        return Map.of("failed", decoder);
    }

    private static String path(Answer opened, String deed) {
        return "/v1/reservations/" + id(opened) + "/" + deed;
    }

    private static String id(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json().at("/reservation/id").asString();
    }

    private static String decoder(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json().at("/decoder/id").asString();
    }

    private static Instant expiry(JsonNode reservation) {
        return Instant.parse(reservation.path("expiresAt").asString());
    }

    private static int inFlight(String slot) {
        for (JsonNode decoder :
                ROUTER.get("/v1/pools/" + POOL + "/decoders").json().path("decoders")) {
            if (decoder.path("id").asString().equals(slot)) {
                return decoder.path("inFlight").asInt();
            }
        }
        throw new AssertionError("no decoder " + slot);
    }
}
