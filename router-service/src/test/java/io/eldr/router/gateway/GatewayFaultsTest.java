package io.eldr.router.gateway;

import static io.eldr.router.testing.GatewayClient.COMPLETIONS;
import static io.eldr.router.testing.GatewayClient.completion;
import static io.eldr.router.testing.GatewayClient.error;
import static io.eldr.router.testing.SharedRouter.CLOCK;
import static io.eldr.router.testing.SharedRouter.OPEN_FOR;
import static io.eldr.router.testing.SharedRouter.REGISTRY;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.engine.cluster.SimulatedWorker;
import io.eldr.router.pool.WorkerView;
import io.eldr.router.testing.BlackHole;
import io.eldr.router.testing.GatewayClient;
import io.eldr.router.testing.RawAnswer;
import io.eldr.router.testing.SimulatedPool;
import io.eldr.router.worker.WorkerState;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What goes wrong at simulated engines, and what the client sees of it. */
class GatewayFaultsTest {
    private static final String PROMPT = "Something goes wrong on the way. ".repeat(10);

    private final SimulatedPool pool = SimulatedPool.engines(2, 2).serve();
    private final GatewayClient client = GatewayClient.ofRouter();

    @AfterEach
    void nothingIsInFlightAnyMore() {
        client.close();
        pool.awaitIdle();
        await().until(() -> ROUTER.bean(GatewayMetrics.class).active() == 0);
        pool.close();
    }

    @Test
    void aDecodeWorkerThatDiesBetweenPickAndFirstByteIsReplacedByAnother() throws Exception {
        pool.orderAll(pool.decoders(), "{\"fault\":\"hang\",\"requests\":1}");
        ObjectNode body = completion(pool.name(), PROMPT, 6);
        CompletableFuture<HttpResponse<String>> answer = client.completeLater(body);
        await().until(() -> decoderInFlight(0) + decoderInFlight(1) == 1);
        int dying = decoderInFlight(0) == 1 ? 0 : 1;
        pool.order(pool.decoder(1 - dying), "{\"fault\":\"clear\"}");

        pool.order(pool.decoder(dying), "{\"fault\":\"crash\",\"forMillis\":60000}");

        assertThat(answer.get(60, TimeUnit.SECONDS).body()).isEqualTo(alone(1 - dying, body));
        assertThat(pool.ends()).isEqualTo(Map.of("completed", 1));
        assertThat(pool.counts("eldr.gateway.retries", "cause")).isEqualTo(Map.of("decode-broken", 1));
    }

    @Test
    void aDecodeWorkerThatLeavesThePoolBeforeItsFirstByteHoldsNoRequestUp() throws Exception {
        pool.orderAll(pool.decoders(), "{\"fault\":\"hang\",\"requests\":1}");
        CompletableFuture<HttpResponse<String>> answer = client.completeLater(completion(pool.name(), PROMPT, 6));
        await().until(() -> decoderInFlight(0) + decoderInFlight(1) == 1);
        int leaving = decoderInFlight(0) == 1 ? 0 : 1;
        pool.order(pool.decoder(1 - leaving), "{\"fault\":\"clear\"}");

        REGISTRY.removeWorker(pool.name(), "decoder-" + leaving);

        assertThat(answer.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    }

    @Test
    void aPrefillWorkerThatDiesIsReplacedByAnother() throws Exception {
        pool.orderAll(pool.prefillers(), "{\"fault\":\"hang\",\"requests\":1}");
        ObjectNode body = completion(pool.name(), PROMPT, 6);
        CompletableFuture<HttpResponse<String>> answer = client.completeLater(body);
        await().until(() -> prefillInFlight(0) + prefillInFlight(1) == 1);
        int dying = prefillInFlight(0) == 1 ? 0 : 1;
        pool.order(pool.prefiller(1 - dying), "{\"fault\":\"clear\"}");

        pool.order(pool.prefiller(dying), "{\"fault\":\"crash\",\"forMillis\":60000}");

        assertThat(answer.get(60, TimeUnit.SECONDS).body()).isEqualTo(alone(0, body));
        assertThat(pool.ends()).isEqualTo(Map.of("completed", 1));
    }

    @Test
    void aPrefillWorkerThatLeavesThePoolBeforeItsAnswerHoldsNoRequestUp() throws Exception {
        pool.orderAll(pool.prefillers(), "{\"fault\":\"hang\",\"requests\":1}");
        CompletableFuture<HttpResponse<String>> answer = client.completeLater(completion(pool.name(), PROMPT, 6));
        await().until(() -> prefillInFlight(0) + prefillInFlight(1) == 1);
        int leaving = prefillInFlight(0) == 1 ? 0 : 1;
        pool.order(pool.prefiller(1 - leaving), "{\"fault\":\"clear\"}");

        REGISTRY.removeWorker(pool.name(), "prefill-" + leaving);

        assertThat(answer.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    }

    @Test
    void aPrefillWorkerThatAnswersWithoutParametersIsReplacedAndTwoAreAClearError() {
        pool.orderAll(pool.prefillers(), "{\"fault\":\"noParams\",\"requests\":1}");
        HttpResponse<String> refused = client.complete(completion(pool.name(), PROMPT, 6));
        assertThat(refused.statusCode()).isEqualTo(502);
        assertThat(error(refused).path("code").asString()).isEqualTo("no_kv_transfer_params");

        pool.order(pool.prefiller(0), "{\"fault\":\"noParams\",\"requests\":1}");
        for (int i = 0; i < 4; i++) {
            ObjectNode body = completion(pool.name(), i + PROMPT, 6);
            assertThat(client.complete(body).body()).isEqualTo(alone(0, body));
        }
        assertThat(pool.ends()).isEqualTo(Map.of("completed", 4, "gateway-error", 1));
    }

    @Test
    void parametersWhoseLeaseMayBeOverAreNotSentAnyMore() throws IOException {
        try (BlackHole unreachable = new BlackHole()) {
            REGISTRY.setWorker(pool.name(), "decoder-0", "url", unreachable.url());
            REGISTRY.setWorker(pool.name(), "decoder-1", "desired_state", "draining");
            await().until(() -> pool.pool().state().forDecisions().snapshot().decoders().stream()
                    .allMatch(decoder -> decoder.url().equals(unreachable.url())));

            CompletableFuture<HttpResponse<String>> answer = client.completeLater(completion(pool.name(), PROMPT, 6));
            HttpResponse<String> late = answer.join();

            // A decoder would answer 200 with another prompt's text.
            assertThat(late.statusCode()).isEqualTo(504);
            assertThat(error(late).path("code").asString()).isEqualTo("handoff_timeout");
            assertThat(pool.ends()).isEqualTo(Map.of("gateway-error", 1));
            assertThat(pool.count("eldr.gateway.kv.abandoned")).isOne();
        }
    }

    @Test
    void aDecoderThatRefusesAfterThePrefillMakesAWholeNewPrefill() {
        pool.order(pool.decoder(0), "{\"fault\":\"status\",\"status\":500,\"requests\":2}");
        for (int i = 0; i < 6; i++) {
            ObjectNode body = completion(pool.name(), i + PROMPT, 6);
            assertThat(client.complete(body).body()).isEqualTo(alone(1, body));
        }
        assertThat(pool.ends()).isEqualTo(Map.of("completed", 6));
    }

    @Test
    void anErrorThatEveryDecoderAnswersPassesUnchanged() {
        pool.orderAll(pool.decoders(), "{\"fault\":\"status\",\"status\":503}");

        HttpResponse<String> answer = client.complete(completion(pool.name(), PROMPT, 6));

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(error(answer).path("message").asString()).isEqualTo("simulated failure");
        assertThat(pool.ends()).isEqualTo(Map.of("engine-error", 1));
    }

    @Test
    void anEngineThatClosesItsIdleConnectionsFailsNoRequest() {
        // Longer than a busy machine takes from a new connection to its first request, which the engines close as well.
        Duration idle = Duration.ofMillis(75);
        try (SimulatedPool restless =
                SimulatedPool.engines(2, 2).keepAlive(idle).serve()) {
            for (int i = 0; i < 40; i++) {
                ObjectNode body = completion(restless.name(), "idle " + i, 2);
                assertThat(client.complete(body).statusCode()).isEqualTo(200);
                // Around the time at which the engines close: some requests meet a connection that is being closed.
                java.util.concurrent.locks.LockSupport.parkNanos(
                        idle.plusMillis(i % 10 - 5).toNanos());
            }
            assertThat(restless.ends()).isEqualTo(Map.of("completed", 40));
        }
    }

    @Test
    void anEngineThatBreaksOffBeforeItsFirstTokenIsReplacedByAnother() {
        pool.order(pool.decoder(0), "{\"fault\":\"reset\",\"afterTokens\":0,\"requests\":1}");
        for (int i = 0; i < 50 && pool.count("eldr.gateway.retries") == 0; i++) {
            ObjectNode body = completion(pool.name(), i + PROMPT, 12).put("stream", true);

            assertThat(client.complete(body).body()).isEqualTo(alone(1, body));
        }
        assertThat(pool.counts("eldr.gateway.retries", "cause")).isEqualTo(Map.of("decode-broken", 1));
        assertThat(pool.ends().keySet()).containsExactly("completed");
    }

    @Test
    void whereEveryEngineBreaksOffBeforeItsFirstTokenTheClientGetsAClearError() {
        pool.orderAll(pool.decoders(), "{\"fault\":\"reset\",\"afterTokens\":0,\"requests\":1}");
        ObjectNode body = completion(pool.name(), PROMPT, 12).put("stream", true);

        HttpResponse<String> answer = client.complete(body);

        assertThat(answer.statusCode()).isEqualTo(502);
        assertThat(answer.headers().allValues("content-type")).containsExactly("application/json");
        assertThat(GatewayClient.error(answer).path("code").asString()).isEqualTo("decode_failed");
        assertThat(client.complete(body).body()).isEqualTo(alone(0, body));
        assertThat(pool.ends()).isEqualTo(Map.of("gateway-error", 1, "completed", 1));
        assertThat(pool.counts("eldr.gateway.retries", "cause")).isEqualTo(Map.of("decode-broken", 1));
    }

    @Test
    void anEngineThatBreaksOffInTheMiddleBreaksOffTheClientsAnswerToo() throws IOException {
        // Slow enough that the tokens before the reset reach the client before it does.
        try (SimulatedPool slow = SimulatedPool.engines(1, 1).timeScale(10).serve()) {
            slow.orderAll(slow.decoders(), "{\"fault\":\"reset\",\"afterTokens\":3}");
            try (Socket socket =
                    client.open(COMPLETIONS, completion(slow.name(), PROMPT, 12).put("stream", true))) {
                assertThat(GatewayClient.events(RawAnswer.to(socket).rest()))
                        .isNotEmpty()
                        .doesNotContain("[DONE]");
            } catch (IOException reset) {
                assertThat(reset).hasMessageContaining("reset");
            }
            await().until(() -> slow.ends().equals(Map.of("broken-off", 1)));
        }
    }

    @Test
    void aPrefillWorkerThatKeepsFailingGetsNothingUntilATrialSucceeds() {
        pool.order(pool.prefiller(0), "{\"fault\":\"status\",\"status\":500}");
        for (int i = 0; pool.counts("eldr.gateway.retries", "cause").getOrDefault("prefill-refused", 0) < 5; i++) {
            assertThat(client.complete(completion(pool.name(), "breaking " + i, 2))
                            .statusCode())
                    .isEqualTo(200);
        }
        await().until(() -> prefillState(0) == WorkerState.EJECTED);
        for (int i = 0; i < 20; i++) {
            assertThat(client.complete(completion(pool.name(), "ejected " + i, 2))
                            .statusCode())
                    .isEqualTo(200);
        }
        assertThat(pool.counts("eldr.gateway.retries", "cause")).isEqualTo(Map.of("prefill-refused", 5));

        pool.order(pool.prefiller(0), "{\"fault\":\"clear\"}");
        CLOCK.advance(OPEN_FOR);
        await().until(() -> prefiller(0).path("eligible").asBoolean());
        for (int i = 0; i < 200 && prefillState(0) != WorkerState.READY; i++) {
            assertThat(client.complete(completion(pool.name(), "trial " + i, 2)).statusCode())
                    .isEqualTo(200);
        }
        await().until(() -> prefillState(0) == WorkerState.READY);
        assertThat(pool.ends()).containsOnlyKeys("completed");
    }

    @Test
    void aHundredRequestsThatAreTooLongEjectNobody() {
        ObjectNode tooLong = completion(pool.name(), "x".repeat(40_000), 6);
        ObjectNode tooMuch = completion(pool.name(), PROMPT, 100_000);
        for (int i = 0; i < 50; i++) {
            assertThat(client.complete(tooLong).statusCode()).isEqualTo(400);
            HttpResponse<String> atTheDecoder = client.complete(tooMuch);
            assertThat(atTheDecoder.statusCode()).isEqualTo(400);
            assertThat(error(atTheDecoder).path("param").asString()).isEqualTo("max_tokens");
        }
        assertThat(Stream.concat(pool.pool().state().prefillers().stream(), pool.pool().state().decoders().stream())
                        .map(WorkerView::state))
                .containsOnly(WorkerState.READY);
        assertThat(pool.ends()).isEqualTo(Map.of("client-error", 100));
    }

    @Test
    void whereEveryPrefillWorkerIsEjectedTheClientIsToldToComeBack() {
        pool.orderAll(pool.prefillers(), "{\"fault\":\"status\",\"status\":500}");
        await().untilAsserted(() -> {
            HttpResponse<String> answer = client.complete(completion(pool.name(), PROMPT, 2));
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(error(answer).path("code").asString()).isEqualTo("no_prefiller_ready");
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        });
    }

    @Test
    void fiveHundredStreamsRunAtOnce() {
        ObjectNode held = completion(pool.name(), PROMPT, 4).put("stream", true);
        held.putObject("sim").put("duration_ms", 600_000);
        List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, 500)
                .mapToObj(i -> client.completeLater(held.deepCopy().put("prompt", "stream " + i)))
                .toList();
        await().until(() -> SimulatedPool.busy(pool.decoders()) == 500);
        assertThat(ROUTER.bean(GatewayMetrics.class).active()).isEqualTo(500);
        assertThat(pool.inFlight()).isEqualTo(500);

        pool.decoders().forEach(SimulatedWorker::finishHeld);

        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.join().body()).endsWith("data: [DONE]\n\n"));
        assertThat(pool.ends()).isEqualTo(Map.of("completed", 500));
    }

    private int decoderInFlight(int index) {
        return ROUTER.bean(io.eldr.core.load.LoadLedger.class)
                .inFlight(pool.pool().state().decoders().get(index).incarnation());
    }

    private int prefillInFlight(int index) {
        return prefiller(index).path("inFlight").asInt();
    }

    /** As the router shows it. */
    private JsonNode prefiller(int index) {
        return ROUTER.get("/v1/pools/" + pool.name() + "/prefillers")
                .json()
                .path("prefillers")
                .path(index);
    }

    private WorkerState prefillState(int index) {
        return WorkerState.valueOf(prefiller(index).path("state").asString());
    }

    /** What a worker answers that does all by itself. */
    private String alone(int decoder, ObjectNode body) {
        try (GatewayClient direct = new GatewayClient(pool.decoder(decoder).url())) {
            return direct.complete(body.deepCopy().put("model", SimulatedPool.SERVED))
                    .body();
        }
    }
}
