package io.eldr.router.gateway;

import static io.eldr.router.testing.GatewayClient.CHAT;
import static io.eldr.router.testing.GatewayClient.COMPLETIONS;
import static io.eldr.router.testing.GatewayClient.completion;
import static io.eldr.router.testing.GatewayClient.error;
import static io.eldr.router.testing.SharedRouter.REGISTRY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.router.testing.BlackHole;
import io.eldr.router.testing.GatewayClient;
import io.eldr.router.testing.RawAnswer;
import io.eldr.router.testing.SimulatedPool;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The authors' dialect against simulated engines that speak it: the client's first token is the prefill worker's. */
class PrefillFirstTest {
    private static final String PROMPT = "The expert that saw it first says the rest too. ".repeat(10);
    private static final String REFUSE = "{\"fault\":\"refuse\",\"forMillis\":60000}";

    private final SimulatedPool pool =
            SimulatedPool.engines(2, 2).dialect("prefill-first").serve();
    private final GatewayClient client = GatewayClient.ofRouter();

    @AfterEach
    void nothingIsLeftOver() {
        client.close();
        pool.awaitIdle();
        pool.orderAll(pool.prefillers(), "{\"fault\":\"expire\"}");
        pool.awaitNothingKept();
        pool.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"include_usage\":true}"})
    void theClientGetsTheBytesThatOneWorkerAloneWouldSend(String options) {
        ObjectNode body = stream(12);
        body.set("stream_options", JsonMapper.shared().readTree(options));

        HttpResponse<String> answer = client.complete(body);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("content-type")).contains("text/event-stream; charset=utf-8");
        assertThat(answer.headers().firstValue("x-accel-buffering")).contains("no");
        assertThat(answer.headers().firstValue("x-eldr-reason")).isNotEqualTo("no-signature");
        assertThat(answer.body()).isEqualTo(alone(body));
        assertThat(pool.ends()).isEqualTo(Map.of("completed", 1));
        pool.awaitNothingKept();
    }

    @Test
    void aWholeAnswerHoldsTheFirstTokenOnce() {
        ObjectNode body = completion(pool.name(), PROMPT, 12);

        HttpResponse<String> answer = client.complete(body);

        assertThat(answer.body()).isEqualTo(alone(body));
    }

    @Test
    void theFirstTokenComesThoughNoDecoderAnswers() throws IOException {
        pool.orderAll(pool.decoders(), "{\"fault\":\"hang\"}");
        try (Socket socket = client.open(COMPLETIONS, stream(12))) {
            assertThat(RawAnswer.to(socket).readUntil("\n\n")).contains("\"finish_reason\":null");
        }
        await().until(() -> pool.ends().equals(Map.of("aborted", 1)));
    }

    @ParameterizedTest
    @CsvSource({"1,0,length", "9,1,stop"})
    void whatTheFirstTokenEndsIsNotDecodedAndItsStateIsGivenFree(int maxTokens, int stopAfter, String reason) {
        ObjectNode body = stream(maxTokens);
        body.putObject("sim").put("stop_after", stopAfter);
        body.putObject("stream_options").put("include_usage", true);

        HttpResponse<String> answer = client.complete(body);

        List<String> events = GatewayClient.events(answer.body());
        assertThat(events).hasSize(3).endsWith("[DONE]");
        assertThat(events.getFirst()).contains("\"" + reason + "\"").doesNotContain("kv_transfer_params", "token_ids");
        assertThat(events.get(1)).contains("\"completion_tokens\":1");
        await().until(() -> pool.count("eldr.gateway.kv.released") == 1);
        pool.awaitNothingKept();
        assertThat(pool.decoders()).allMatch(worker -> worker.metrics().steps() == 0);
    }

    @Test
    void chatIsRefusedSinceTheEnginesHaveNone() {
        HttpResponse<String> answer =
                client.post(CHAT, GatewayClient.chat(pool.name(), "hello", 5).toString());

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(error(answer).path("code").asString()).isEqualTo("not_a_chat_model");
        assertThat(error(answer).path("param").asString()).isEqualTo("model");
        assertThat(error(answer).path("message").asString()).contains("/v1/completions");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            echo                | true
            logprobs            | 0
            prompt_logprobs     | 1
            suffix              | "x"
            use_beam_search     | true
            structured_outputs  | {"json":{}}
            response_format     | {"type":"json_object"}
            max_tokens          | 0
            n                   | 2
            """)
    void whatTheDialectCannotServeIsRefusedByNameBeforeAnyPrefill(String field, String value) {
        ObjectNode body = completion(pool.name(), PROMPT, 5);
        body.set(field, JsonMapper.shared().readTree(value));

        HttpResponse<String> answer = client.complete(body);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(error(answer).path("param").asString()).isEqualTo(field);
        assertThat(pool.ends()).isEmpty();
    }

    @Test
    void whatSaysNothingIsNoReasonToRefuse() {
        ObjectNode body = stream(5).put("echo", false).putNull("logprobs").put("suffix", "");
        body.putObject("response_format").put("type", "text");

        assertThat(client.complete(body).statusCode()).isEqualTo(200);
    }

    @Test
    void aDecoderThatIsNotReachedIsReplacedAndTheStreamIsTheSame() {
        pool.order(pool.decoder(0), REFUSE);
        awaitRefusing(0);
        for (int i = 0; i < 4; i++) {
            ObjectNode body = completion(pool.name(), i + PROMPT, 6).put("stream", true);
            assertThat(client.complete(body).body()).isEqualTo(alone(1, body));
        }
        assertThat(pool.ends()).isEqualTo(Map.of("completed", 4));
    }

    @Test
    void whereNoDecoderIsReachedTheStreamTellsAClearErrorAfterTheFirstToken() throws IOException {
        pool.orderAll(pool.decoders(), REFUSE);
        awaitRefusing(0);
        awaitRefusing(1);
        try (Socket socket = client.open(COMPLETIONS, stream(12))) {
            String all = RawAnswer.to(socket).rest();
            assertThat(all)
                    .contains("\"finish_reason\":null")
                    .contains("\"decode_failed\"")
                    .doesNotContain("[DONE]");
        }
        assertThat(pool.ends()).isEqualTo(Map.of("gateway-error", 1));
        // Nobody could be asked to give the state free either, which is counted.
        await().until(() -> pool.count("eldr.gateway.kv.abandoned") == 1);
    }

    @Test
    void aDecoderThatRefusesAfterTheFirstTokenIsToldInTheStreamAndAWholeAnswerIsBegunAnew() throws IOException {
        pool.orderAll(pool.decoders(), "{\"fault\":\"status\",\"status\":500,\"requests\":1}");
        try (Socket socket = client.open(COMPLETIONS, stream(12))) {
            String all = RawAnswer.to(socket).rest();
            assertThat(all).contains("simulated failure").doesNotContain("[DONE]");
        }
        ObjectNode whole = completion(pool.name(), PROMPT, 12);
        assertThat(client.complete(whole).body()).isEqualTo(alone(whole));
        assertThat(pool.ends()).isEqualTo(Map.of("engine-error", 1, "completed", 1));
    }

    @Test
    void aDecoderThatBreaksOffBreaksTheStreamOff() throws IOException {
        // Slow enough that tokens reach the router before the reset does.
        try (SimulatedPool slow = SimulatedPool.engines(1, 1)
                .dialect("prefill-first")
                .timeScale(10)
                .serve()) {
            slow.orderAll(slow.decoders(), "{\"fault\":\"reset\",\"afterTokens\":3}");
            try (Socket socket =
                    client.open(COMPLETIONS, completion(slow.name(), PROMPT, 12).put("stream", true))) {
                assertThat(RawAnswer.to(socket).rest()).doesNotContain("[DONE]");
            } catch (IOException reset) {
                assertThat(reset).hasMessageContaining("reset");
            }
            await().until(() -> slow.ends().equals(Map.of("broken-off", 1)));
        }
    }

    @Test
    void aClientThatLeavesBeforeADecoderIsReachedGivesTheStateFree() throws IOException {
        try (BlackHole unreachable = new BlackHole()) {
            // Draining, it takes no request, and can still be asked to give a state free.
            REGISTRY.setWorker(pool.name(), "decoder-0", "desired_state", "draining");
            REGISTRY.setWorker(pool.name(), "decoder-1", "url", unreachable.url());
            await().until(() -> pool.pool().state().forDecisions().snapshot().decoders().stream()
                    .allMatch(decoder -> decoder.url().equals(unreachable.url())));

            Socket socket = client.open(COMPLETIONS, stream(12));
            RawAnswer.to(socket).readUntil("\"finish_reason\":null");
            assertThat(pool.prefillers()).anyMatch(worker -> worker.gauges().pinned() == 1);
            socket.close();

            await().until(() -> pool.count("eldr.gateway.kv.released") == 1);
            pool.awaitNothingKept();
            await().until(() -> pool.ends().equals(Map.of("aborted", 1)));
        }
    }

    @Test
    void enginesThatSpeakNothingOfItAreAClearError() {
        pool.orderAll(pool.prefillers(), "{\"fault\":\"noParams\"}");

        HttpResponse<String> answer = client.complete(stream(5));

        assertThat(answer.statusCode()).isEqualTo(502);
        assertThat(error(answer).path("code").asString()).isEqualTo("no_kv_transfer_params");
    }

    private ObjectNode stream(int maxTokens) {
        return completion(pool.name(), PROMPT, maxTokens).put("stream", true);
    }

    /** What a worker answers that does all by itself. */
    private String alone(ObjectNode body) {
        return alone(0, body);
    }

    private String alone(int decoder, ObjectNode body) {
        try (GatewayClient direct = new GatewayClient(pool.decoder(decoder).url())) {
            return direct.complete(body.deepCopy().put("model", SimulatedPool.SERVED))
                    .body();
        }
    }

    private void awaitRefusing(int decoder) {
        await().until(() -> {
            try (Socket socket = new Socket(
                    java.net.InetAddress.getLoopbackAddress(),
                    pool.decoder(decoder).url().getPort())) {
                return !socket.isConnected();
            } catch (IOException refused) {
                return true;
            }
        });
    }
}
