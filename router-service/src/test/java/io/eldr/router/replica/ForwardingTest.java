package io.eldr.router.replica;

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
import tools.jackson.databind.json.JsonMapper;

/** What is said to one router about a reservation of another. */
class ForwardingTest {

    private static Fleet<TestRouter> fleet;
    private static ServedPool served;
    private static TestRouter owner;
    private static TestRouter other;

    @BeforeAll
    static void serve() {
        fleet = Fleet.ofContexts(3);
        served = fleet.pool("forwarded", 3);
        owner = fleet.routers().getFirst();
        other = fleet.routers().get(1);
    }

    @AfterAll
    static void stop() {
        served.close();
        fleet.close();
    }

    @Test
    void anyRouterClosesRenewsAndMovesTheReservationsOfAnother() {
        Answer opened = owner.post("/v1/route", body("forwarded", "any"));
        assertThat(id(opened)).startsWith("router-a.");

        Instant before = Instant.now();
        Answer renewed = other.post(path(opened, "renew"), Map.of("leaseSeconds", 600));
        assertThat(renewed.status()).as(renewed.text()).isEqualTo(200);
        assertThat(Instant.parse(renewed.json().path("expiresAt").asString())).isAfter(before.plusSeconds(590));
        assertThat(other.post(path(opened, "renew")).status()).isEqualTo(200);

        String first = opened.json().at("/decoder/id").asString();
        Answer moved = fleet.routers().get(2).post(path(opened, "reassign"), Map.of("failed", first));
        assertThat(moved.status()).as(moved.text()).isEqualTo(200);
        assertThat(moved.json().at("/decoder/id")).isEqualTo(opened.json().at("/fallbacks/0/id"));

        Answer closed = other.post(path(opened, "close"), Map.of("outcome", "completed"));
        assertThat(closed.status()).as(closed.text()).isEqualTo(204);
        assertThat(inFlight(owner)).isZero();
        assertThat(other.delete("/v1/reservations/" + id(opened)).status()).isEqualTo(204);
        assertThat(other.post(path(opened, "renew")).status()).isEqualTo(410);
    }

    @Test
    void theOwnerChecksTheTokenOfAProviderItself() {
        Optional<String> client = Optional.of(Fleet.ISSUER.token("gateway", "client"));
        Optional<String> forged = Optional.of(Fleet.ISSUER.badTokens().getOrDefault("changed after it was signed", ""));
        Answer opened = other.send(other.request("/v1/route", client)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        JsonMapper.shared().writeValueAsString(body("forwarded", "by-jwt")))));
        assertThat(opened.status()).as(opened.text()).isEqualTo(200);
        String reservation = "/v1/reservations/" + id(opened);

        assertThat(owner.send(owner.request(reservation, forged).DELETE()).status())
                .isEqualTo(401);
        assertThat(inFlight(other)).isEqualTo(1);
        Answer moved = owner.send(owner.request(reservation + "/renew", client)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"leaseSeconds\":600}")));
        assertThat(moved.status()).as(moved.text()).isEqualTo(200);
        assertThat(owner.send(owner.request(reservation, client).DELETE()).status())
                .isEqualTo(204);
        assertThat(inFlight(other)).isZero();
    }

    @Test
    void aCloseThatIsSentOnReachesTheOwnerAlsoIfItsCallerDoesNotWait() throws Exception {
        for (int i = 0; i < 10; i++) {
            Answer opened = owner.post("/v1/route", body("forwarded", "left-" + i));
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), other.port())) {
                String request = "DELETE /v1/reservations/" + id(opened) + " HTTP/1.1\r\nHost: router\r\n"
                        + "Authorization: Bearer " + TestRouter.CLIENT + "\r\n\r\n";
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            }
        }
        await().until(() -> inFlight(owner) == 0);
    }

    @Test
    void whatTheOwnerRefusesIsAnsweredAsTheOwnerDoes() {
        Answer opened = owner.post("/v1/route", body("forwarded", "refused"));

        Answer bad = other.post(path(opened, "close"), "{\"outcome\":\"fine\"}");
        assertThat(bad.status()).isEqualTo(400);
        assertThat(bad.field()).isEqualTo("outcome");
        assertThat(bad.response().headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(other.delete("/v1/reservations/" + id(opened) + "?outcome=fine")
                        .field())
                .isEqualTo("outcome");
        assertThat(other.post(
                                path(opened, "close"),
                                "{\"outcome\":\"completed\",\"pad\":\"" + "x".repeat(32 << 20) + "\"}")
                        .status())
                .isEqualTo(413);
        assertThat(inFlight(owner)).isEqualTo(1);
        assertThat(other.delete("/v1/reservations/" + id(opened) + "?outcome=aborted")
                        .status())
                .isEqualTo(204);
        assertThat(other.delete("/v1/reservations/router-a.0123456789abcdef").status())
                .isEqualTo(404);
    }

    @Test
    void nobodyReachesAnotherRouterWhoMayNotCallThisOne() {
        Answer opened = owner.post("/v1/route", body("forwarded", "guarded"));

        for (Optional<String> token : List.of(Optional.<String>empty(), Optional.of("nonsense"))) {
            assertThat(other.send(other.request("/v1/reservations/" + id(opened), token)
                                    .DELETE())
                            .status())
                    .isEqualTo(401);
        }
        assertThat(other.send(other.request("/v1/reservations/" + id(opened), Optional.of(TestRouter.VIEWER))
                                .DELETE())
                        .status())
                .isEqualTo(403);
        assertThat(inFlight(owner)).isEqualTo(1);
        owner.delete("/v1/reservations/" + id(opened));
    }

    @Test
    void aRequestGoesOneHopAndNoFurther() {
        Answer opened = owner.post("/v1/route", body("forwarded", "hop"));

        assertThat(marked(other, path(opened, "renew")).status()).isEqualTo(410);
        assertThat(marked(other, path(opened, "close")).status()).isEqualTo(204);
        assertThat(inFlight(owner)).isEqualTo(1);
        // A successor at the address of a router that ended is not its owner, and does not look for one.
        heartbeat("router-before", "http://127.0.0.1:" + other.port());
        String before = "/v1/reservations/router-before.0123456789abcdef";
        assertThat(owner.delete(before).status()).isEqualTo(204);
        assertThat(owner.post(before + "/renew").status()).isEqualTo(410);
        owner.delete("/v1/reservations/" + id(opened));
    }

    @Test
    void whereTheOwnerIsGoneClosingIsDoneAndThereIsNothingToRenewOrMove() {
        heartbeat("router-away", "http://127.0.0.1:" + FreePorts.of(1).getFirst());
        heartbeat("router-mute", "ftp://127.0.0.1/");
        for (String owner : List.of("never-seen", "router-away", "router-mute")) {
            String reservation = "/v1/reservations/" + owner + ".0123456789abcdef";
            assertThat(other.post(reservation + "/close", Map.of("outcome", "completed"))
                            .status())
                    .as(owner)
                    .isEqualTo(204);
            assertThat(other.delete(reservation).status()).as(owner).isEqualTo(204);
            Answer renewed = other.post(reservation + "/renew");
            assertThat(renewed.status()).as(owner).isEqualTo(410);
            assertThat(renewed.json().path("type").asString()).isEqualTo("https://eldr.io/problems/gone");
            assertThat(other.post(reservation + "/reassign", Map.of("failed", "decoder-0"))
                            .status())
                    .as(owner)
                    .isEqualTo(410);
        }
    }

    /** Another router gives a sign of life, which this fleet takes in. */
    private static void heartbeat(String id, String url) {
        fleet.registry()
                .jdbc()
                .sql("insert into router_instance (id, url, started_at, last_seen) values (:id, :url, now(), now())"
                        + " on conflict (id) do update set url = excluded.url, last_seen = excluded.last_seen")
                .param("id", id)
                .param("url", url)
                .update();
        for (TestRouter router : List.of(owner, other)) {
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
