package io.eldr.router.route;

import static io.eldr.router.testing.SharedRouter.CLOCK;
import static io.eldr.router.testing.SharedRouter.REGISTRY;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.core.load.LoadLedger;
import io.eldr.router.pool.Pools;
import io.eldr.router.pool.ServedState;
import io.eldr.router.pool.WorkerView;
import io.eldr.router.testing.SharedRouter;
import io.eldr.router.testing.TestRouter;
import io.eldr.router.testing.TestRouter.Answer;
import io.eldr.router.worker.WorkerState;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What users of such routers saw go wrong with the count of running requests. */
class LoadAccountingTest {

    private static final int CLIENTS = 16;

    @Test
    void afterAThousandRequestsHalfOfThemAbortedNoPhantomsAreLeftAndARestartedDecoderGetsItsShareAlone()
            throws Exception {
        int decoders = 4;
        serve("phantoms", decoders);
        AtomicInteger most = new AtomicInteger();
        SplittableRandom random = new SplittableRandom(1);
        int[] endings = IntStream.range(0, 1_000).map(i -> random.nextInt(4)).toArray();
        atOnce(endings.length, i -> {
            Answer opened = ROUTER.post("/v1/route", body("phantoms", "p" + i));
            most.accumulateAndGet(sum("phantoms"), Math::max);
            return switch (endings[i]) {
                // The client left at once, later, or its proxy with it: the lease ends what nobody closes.
                case 0 -> delete(opened, "aborted");
                case 1 -> opened;
                default -> delete(opened, "completed");
            };
        });
        assertThat(most.get()).as("in flight while the load ran").isGreaterThanOrEqualTo(100);
        CLOCK.advance(Duration.ofSeconds(61));
        await().until(() -> sum("phantoms") == 0);

        REGISTRY.setWorker("phantoms", "decoder-0", "url", "http://127.0.0.1:1/restarted");
        await().until(() -> state("phantoms").decoders().stream()
                .anyMatch(view -> view.worker().url().endsWith("restarted")));
        int toRestarted = 0;
        int picks = 200;
        for (Answer answer : atOnce(picks, i -> ROUTER.post("/v1/route", body("phantoms", "after" + i)))) {
            toRestarted += answer.json().at("/decoder/id").asString().equals("decoder-0") ? 1 : 0;
        }
        assertThat(toRestarted / (double) picks).isLessThan(1.5 / decoders);
    }

    @Test
    void aBurstOfTwoHundredPicksOnEightIdleDecodersIsLevel() throws Exception {
        serve("level", 8);
        atOnce(200, i -> ROUTER.post("/v1/route", body("level", "b" + i)));
        assertThat(counts("level")).containsOnly(25);
    }

    @Test
    void aStreamCountsForAsLongAsItRunsAndNotOnlyUntilItsHeadersArrive() {
        serve("streams", 1);
        Answer stream = ROUTER.post("/v1/route", body("streams", "s"));
        for (int second = 0; second < 10; second++) {
            CLOCK.advance(Duration.ofSeconds(1));
            assertThat(sum("streams")).isEqualTo(1);
        }
        delete(stream, "completed");
        assertThat(sum("streams")).isZero();
    }

    @Test
    void aCompletionAfterTheLeaseEndedDoesNotTakeAwayAnotherRequestsCount() {
        serve("late", 1);
        Answer late = ROUTER.post("/v1/route", body("late", "late", "leaseSeconds", 1));
        CLOCK.advance(Duration.ofSeconds(2));
        await().until(() -> sum("late") == 0);
        Answer running = ROUTER.post("/v1/route", body("late", "running"));

        assertThat(delete(late, "completed").status()).isEqualTo(410);
        assertThat(delete(late, "aborted").status()).isEqualTo(410);
        assertThat(sum("late")).isEqualTo(1);
        delete(running, "completed");
        assertThat(sum("late")).isZero();
    }

    @Test
    void manyEndingsOfOneRequestAtOnceReleaseItOnce() throws Exception {
        serve("once", 1);
        Answer other = ROUTER.post("/v1/route", body("once", "other"));
        Answer ended = ROUTER.post("/v1/route", body("once", "ended"));
        List<String> outcomes = List.of("completed", "aborted", "clientError", "timeout", "completed");

        List<Answer> answers = atOnce(50, i -> delete(ended, outcomes.get(i % outcomes.size())));

        assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isEqualTo(204));
        assertThat(sum("once")).isEqualTo(1);
        delete(other, "completed");
        assertThat(sum("once")).isZero();
    }

    @Test
    void aCloseWhoseCallerDoesNotWaitForTheAnswerReleasesAllTheSame() throws Exception {
        serve("left", 1);
        for (int i = 0; i < 10; i++) {
            Answer opened = ROUTER.post("/v1/route", body("left", "l" + i));
            String id = opened.json().at("/reservation/id").asString();
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), ROUTER.port())) {
                String request = "DELETE /v1/reservations/" + id + "?outcome=aborted HTTP/1.1\r\nHost: router\r\n"
                        + "Authorization: Bearer " + TestRouter.CLIENT + "\r\n\r\n";
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            }
        }
        await().until(() -> sum("left") == 0);
    }

    @Test
    void anOldReservationDoesNotTouchTheIncarnationThatTookItsDecodersPlace() {
        serve("recreated", 1);
        Answer old = ROUTER.post("/v1/route", body("recreated", "old"));
        REGISTRY.setWorker("recreated", "decoder-0", "url", "http://127.0.0.1:1/recreated");
        await().until(() -> state("recreated").decoders().stream()
                .anyMatch(view -> view.worker().url().endsWith("recreated") && view.state() == WorkerState.READY));
        Answer running = ROUTER.post("/v1/route", body("recreated", "new"));
        assertThat(running.json().at("/decoder/url").asString()).endsWith("recreated");
        assertThat(counts("recreated")).containsExactlyInAnyOrder(1, 1);

        delete(old, "completed");

        assertThat(inFlight(state("recreated").decoders().getFirst())).isEqualTo(1);
        assertThat(sum("recreated")).isEqualTo(1);
        delete(running, "completed");
        assertThat(sum("recreated")).isZero();
    }

    private static void serve(String pool, int decoders) {
        SharedRouter.servingPool(pool, decoders);
        REGISTRY.set(pool, "policy", "jsq");
        await().until(() -> state(pool).policyName().id().equals("jsq"));
    }

    private static Answer delete(Answer opened, String outcome) {
        assertThat(opened.status()).as(opened.text()).isEqualTo(200);
        return ROUTER.delete(
                "/v1/reservations/" + opened.json().at("/reservation/id").asString() + "?outcome=" + outcome);
    }

    private static List<Answer> atOnce(int count, IntFunction<Answer> call) throws Exception {
        List<Answer> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<Answer>> calls = IntStream.range(0, count)
                    .mapToObj(i -> threads.submit(() -> call.apply(i)))
                    .toList();
            for (Future<Answer> each : calls) {
                answers.add(each.get());
            }
        }
        return answers;
    }

    private static ServedState state(String pool) {
        return ROUTER.bean(Pools.class).find(pool).orElseThrow().state();
    }

    private static List<Integer> counts(String pool) {
        return state(pool).decoders().stream().map(LoadAccountingTest::inFlight).toList();
    }

    private static int sum(String pool) {
        return counts(pool).stream().mapToInt(Integer::intValue).sum();
    }

    private static int inFlight(WorkerView view) {
        int count = ROUTER.bean(LoadLedger.class).inFlight(view.incarnation());
        assertThat(count).isNotNegative();
        return count;
    }
}
