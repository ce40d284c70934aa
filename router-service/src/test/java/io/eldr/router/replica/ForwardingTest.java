package io.eldr.router.replica;

import static io.eldr.router.testing.Fleet.ROUTERS;
import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.router.testing.Fleet;
import io.eldr.router.testing.Fleet.ServedPool;
import io.eldr.router.testing.FreePorts;
import io.eldr.router.testing.TestRouter;
import io.eldr.router.testing.TestRouter.Answer;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is said to one router about a reservation of another. */
class ForwardingTest {

    private static final TestRouter OWNER = ROUTERS.getFirst();
    private static final TestRouter OTHER = ROUTERS.get(1);

    private static ServedPool served;

    @BeforeAll
    static void serve() {
        served = new ServedPool("forwarded", 3);
        Fleet.awaitRouters(Fleet.SIZE);
    }

    @AfterAll
    static void stop() {
        served.close();
    }

    @Test
    void anyRouterClosesRenewsAndMovesTheReservationsOfAnother() {
        Answer opened = OWNER.post("/v1/route", body("forwarded", "any"));
        assertThat(id(opened)).startsWith("router-a.");

        Instant before = Instant.now();
        Answer renewed = OTHER.post(path(opened, "renew"), Map.of("leaseSeconds", 600));
        assertThat(renewed.status()).as(renewed.text()).isEqualTo(200);
        assertThat(Instant.parse(renewed.json().path("expiresAt").asString())).isAfter(before.plusSeconds(590));
        assertThat(OTHER.post(path(opened, "renew")).status()).isEqualTo(200);

        String first = opened.json().at("/decoder/id").asString();
        Answer moved = ROUTERS.get(2).post(path(opened, "reassign"), Map.of("failed", first));
        assertThat(moved.status()).as(moved.text()).isEqualTo(200);
        assertThat(moved.json().at("/decoder/id")).isEqualTo(opened.json().at("/fallbacks/0/id"));

        Answer closed = ROUTERS.get(3).post(path(opened, "close"), Map.of("outcome", "completed"));
        assertThat(closed.status()).as(closed.text()).isEqualTo(204);
        assertThat(inFlight(OWNER)).isZero();
        assertThat(OTHER.delete("/v1/reservations/" + id(opened)).status()).isEqualTo(204);
        assertThat(OTHER.post(path(opened, "renew")).status()).isEqualTo(410);
    }

    @Test
    void aCloseThatIsSentOnReachesTheOwnerAlsoIfItsCallerDoesNotWait() throws Exception {
        for (int i = 0; i < 10; i++) {
            Answer opened = OWNER.post("/v1/route", body("forwarded", "left-" + i));
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), OTHER.port())) {
                String request = "DELETE /v1/reservations/" + id(opened) + " HTTP/1.1\r\nHost: router\r\n"
                        + "Authorization: Bearer " + TestRouter.CLIENT + "\r\n\r\n";
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            }
        }
        await().until(() -> inFlight(OWNER) == 0);
    }

    @Test
    void whatTheOwnerRefusesIsAnsweredAsTheOwnerDoes() {
        Answer opened = OWNER.post("/v1/route", body("forwarded", "refused"));

        Answer bad = OTHER.post(path(opened, "close"), "{\"outcome\":\"fine\"}");
        assertThat(bad.status()).isEqualTo(400);
        assertThat(bad.field()).isEqualTo("outcome");
        assertThat(bad.response().headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(OTHER.delete("/v1/reservations/" + id(opened) + "?outcome=fine")
                        .field())
                .isEqualTo("outcome");
        assertThat(OTHER.post(
                                path(opened, "close"),
                                "{\"outcome\":\"completed\",\"pad\":\"" + "x".repeat(32 << 20) + "\"}")
                        .status())
                .isEqualTo(413);
        assertThat(inFlight(OWNER)).isEqualTo(1);
        assertThat(OTHER.delete("/v1/reservations/" + id(opened) + "?outcome=aborted")
                        .status())
                .isEqualTo(204);
        assertThat(OTHER.delete("/v1/reservations/router-a.0123456789abcdef").status())
                .isEqualTo(404);
    }

    @Test
    void nobodyReachesAnotherRouterWhoMayNotCallThisOne() {
        Answer opened = OWNER.post("/v1/route", body("forwarded", "guarded"));

        for (Optional<String> token : List.of(Optional.<String>empty(), Optional.of("nonsense"))) {
            assertThat(OTHER.send(OTHER.request("/v1/reservations/" + id(opened), token)
                                    .DELETE())
                            .status())
                    .isEqualTo(401);
        }
        assertThat(OTHER.send(OTHER.request("/v1/reservations/" + id(opened), Optional.of(TestRouter.VIEWER))
                                .DELETE())
                        .status())
                .isEqualTo(403);
        assertThat(inFlight(OWNER)).isEqualTo(1);
        OWNER.delete("/v1/reservations/" + id(opened));
    }

    @Test
    void aRequestGoesOneHopAndNoFurther() {
        Answer opened = OWNER.post("/v1/route", body("forwarded", "hop"));

        assertThat(marked(OTHER, path(opened, "renew")).status()).isEqualTo(410);
        assertThat(marked(OTHER, path(opened, "close")).status()).isEqualTo(204);
        assertThat(inFlight(OWNER)).isEqualTo(1);
        // A successor at the address of a router that ended is not its owner, and does not look for one.
        heartbeat("router-before", "http://127.0.0.1:" + OTHER.port());
        String before = "/v1/reservations/router-before.0123456789abcdef";
        assertThat(OWNER.delete(before).status()).isEqualTo(204);
        assertThat(OWNER.post(before + "/renew").status()).isEqualTo(410);
        OWNER.delete("/v1/reservations/" + id(opened));
    }

    @Test
    void whereTheOwnerIsGoneClosingIsDoneAndThereIsNothingToRenewOrMove() {
        heartbeat("router-away", "http://127.0.0.1:" + FreePorts.of(1).getFirst());
        heartbeat("router-mute", "ftp://127.0.0.1/");
        for (String owner : List.of("never-seen", "router-away", "router-mute")) {
            String reservation = "/v1/reservations/" + owner + ".0123456789abcdef";
            assertThat(OTHER.post(reservation + "/close", Map.of("outcome", "completed"))
                            .status())
                    .as(owner)
                    .isEqualTo(204);
            assertThat(OTHER.delete(reservation).status()).as(owner).isEqualTo(204);
            Answer renewed = OTHER.post(reservation + "/renew");
            assertThat(renewed.status()).as(owner).isEqualTo(410);
            assertThat(renewed.json().path("type").asString()).isEqualTo("https://eldr.io/problems/gone");
            assertThat(OTHER.post(reservation + "/reassign", Map.of("failed", "decoder-0"))
                            .status())
                    .as(owner)
                    .isEqualTo(410);
        }
    }

    /** Another router gives a sign of life, which this fleet takes in. */
    private static void heartbeat(String id, String url) {
        Fleet.REGISTRY
                .jdbc()
                .sql("insert into router_instance (id, url, started_at, last_seen) values (:id, :url, now(), now())"
                        + " on conflict (id) do update set url = excluded.url, last_seen = excluded.last_seen")
                .param("id", id)
                .param("url", url)
                .update();
        for (TestRouter router : List.of(OWNER, OTHER)) {
            await().until(() -> router.bean(Replicas.class).find(id).isPresent());
        }
    }

    private static Answer marked(TestRouter router, String path) {
        return router.send(router.request(path, Optional.of(TestRouter.CLIENT))
                .header(ForwardingFilter.FORWARDED_BY, "router-x")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"outcome\":\"completed\"}")));
    }

    private static String path(Answer opened, String deed) {
        return "/v1/reservations/" + id(opened) + "/" + deed;
    }

    private static String id(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json().at("/reservation/id").asString();
    }

    private static int inFlight(TestRouter router) {
        int sum = 0;
        for (var decoder : router.get("/v1/pools/forwarded/decoders").json().path("decoders")) {
            sum += decoder.path("inFlight").asInt();
        }
        return sum;
    }
}
