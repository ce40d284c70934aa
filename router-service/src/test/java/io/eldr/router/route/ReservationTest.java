package io.eldr.router.route;

import static io.eldr.router.testing.SharedRouter.CLOCK;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.router.testing.SharedRouter;
import io.eldr.router.testing.TestRouter;
import io.eldr.router.testing.TestRouter.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The life of a reservation over HTTP. */
class ReservationTest {

    private static final String POOL = "reservations";

    @BeforeAll
    static void serve() {
        SharedRouter.servingPool(POOL, 3);
    }

    @Test
    void whileItIsOpenTheSameRequestGetsTheSameAnswer() {
        Answer first = ROUTER.post("/v1/route", body(POOL, "again"));
        Answer second = ROUTER.post("/v1/route", body(POOL, "again"));
        assertThat(second.json()).isEqualTo(first.json());
        assertThat(inFlight()).isEqualTo(1);
        close(first, "completed");
        Answer third = ROUTER.post("/v1/route", body(POOL, "again"));
        assertThat(id(third)).isNotEqualTo(id(first));
        close(third, "completed");
    }

    @Test
    void manyAtOnceOfTheSameRequestOpenOneReservation() throws Exception {
        Set<String> ids = new HashSet<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                answers.add(threads.submit(() -> ROUTER.post("/v1/route", body(POOL, "crowd"))));
            }
            for (Future<Answer> answer : answers) {
                ids.add(id(answer.get()));
            }
        }
        assertThat(ids).hasSize(1);
        assertThat(inFlight()).isEqualTo(1);
        assertThat(ROUTER.delete("/v1/reservations/" + ids.iterator().next()).status())
                .isEqualTo(204);
        assertThat(inFlight()).isZero();
    }

    @Test
    void manyAtOnceOnIdleDecodersAreSpreadEvenly() throws Exception {
        List<Answer> opened = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < 99; i++) {
                String requestId = "burst-" + i;
                answers.add(threads.submit(() -> ROUTER.post("/v1/route", body(POOL, requestId))));
            }
            for (Future<Answer> answer : answers) {
                opened.add(answer.get());
            }
        }
        assertThat(decoders()).allSatisfy(inFlight -> assertThat(inFlight).isEqualTo(33));
        opened.forEach(answer -> close(answer, "completed"));
        assertThat(decoders()).allSatisfy(inFlight -> assertThat(inFlight).isZero());
    }

    @Test
    void itClosesOnceAndSaysSoForTenMinutes() {
        Answer opened = ROUTER.post("/v1/route", body(POOL, "closing"));
        assertThat(inFlight()).isEqualTo(1);
        for (String outcome : List.of("completed", "aborted", "clientError", "decoderFailed", "timeout")) {
            assertThat(close(opened, outcome).status()).isEqualTo(204);
            assertThat(ROUTER.delete("/v1/reservations/" + id(opened) + "?outcome=" + outcome)
                            .status())
                    .isEqualTo(204);
            assertThat(inFlight()).isZero();
        }
        CLOCK.advance(Duration.ofMinutes(9));
        assertThat(close(opened, "completed").status()).isEqualTo(204);
        CLOCK.advance(Duration.ofMinutes(2));
        assertThat(close(opened, "completed").status()).isEqualTo(404);
    }

    @Test
    void itsLeaseEndsAndGivesTheLoadBack() {
        Answer opened = ROUTER.post("/v1/route", body(POOL, "lease", "leaseSeconds", 600));
        assertThat(Instant.parse(opened.json().at("/reservation/expiresAt").asString()))
                .isBetween(CLOCK.instant().plusSeconds(580), CLOCK.instant().plusSeconds(601));
        CLOCK.advance(Duration.ofMinutes(9));
        assertThat(inFlight()).isEqualTo(1);
        CLOCK.advance(Duration.ofSeconds(61));
        await().until(() -> inFlight() == 0);
        Answer late = close(opened, "completed");
        assertThat(late.status()).isEqualTo(410);
        assertThat(late.json().path("type").asString()).isEqualTo("https://eldr.io/problems/gone");
        assertThat(inFlight()).isZero();
        Answer next = ROUTER.post("/v1/route", body(POOL, "lease"));
        assertThat(id(next)).isNotEqualTo(id(opened));
        close(next, "completed");
    }

    @Test
    void anUnknownOneIs404() {
        String unknown = ROUTER.bean(io.eldr.router.RouterProperties.class).instanceId() + ".0123456789abcdef";
        for (String id : List.of(unknown, "x", "a..b", "a%2Fb", "%F0%9F%98%80")) {
            assertThat(ROUTER.delete("/v1/reservations/" + id).status()).as(id).isEqualTo(404);
        }
    }

    private static Answer close(Answer opened, String outcome) {
        return ROUTER.post(
                "/v1/reservations/" + id(opened) + "/close",
                Map.of("outcome", outcome, "decodeTokens", 12, "tpotMs", 21.5));
    }

    private static String id(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json().at("/reservation/id").asString();
    }

    private static int inFlight() {
        return decoders().stream().mapToInt(Integer::intValue).sum();
    }

    private static List<Integer> decoders() {
        TestRouter router = ROUTER;
        List<Integer> counts = new ArrayList<>();
        router.get("/v1/pools/" + POOL + "/decoders")
                .json()
                .path("decoders")
                .forEach(decoder -> counts.add(decoder.path("inFlight").asInt()));
        return counts;
    }
}
