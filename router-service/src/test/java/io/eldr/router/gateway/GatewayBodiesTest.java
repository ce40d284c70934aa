package io.eldr.router.gateway;

import static io.eldr.router.testing.SharedRouter.REGISTRY;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.core.signature.EldrSigForm;
import io.eldr.router.testing.FakeEngine;
import io.eldr.router.testing.FakeEngine.Seen;
import io.eldr.router.testing.Fixtures;
import io.eldr.router.testing.FreePorts;
import io.eldr.router.testing.SharedRouter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What engines are asked and clients are answered, byte by byte, with engines that do what they are told. */
class GatewayBodiesTest {
    private static final String POOL = "gateway";
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String SIGNATURE = EldrSigForm.write(Fixtures.counts(3, 10));
    private static final String TRANSFER = "{\"do_remote_prefill\":true,\"do_remote_decode\":false,"
            + "\"remote_block_ids\":[[311,312,977]],\"remote_engine_id\":\"5a0f\",\"big\":123456789012345678901234567890,"
            + "\"eldr_sig\":\"" + SIGNATURE + "\",\"remote_port\":5600}";
    private static final String PREFILLED =
            "{\"id\":\"x\",\"choices\":[{\"index\":0,\"text\":\" a\",\"finish_reason\":\"length\"}],"
                    + "\"usage\":{\"prompt_tokens\":10},\"kv_transfer_params\":" + TRANSFER + "}";

    private static FakeEngine prefill0;
    private static FakeEngine prefill1;
    private static FakeEngine decode0;
    private static FakeEngine decode1;
    private static List<FakeEngine> prefillers;
    private static List<FakeEngine> decoders;

    private final HttpClient client = HttpClient.newHttpClient();

    private static FakeEngine.Reply prefilled() {
        return FakeEngine.json(200, PREFILLED);
    }

    private static FakeEngine.Reply tokens() {
        return FakeEngine.tokens(3, Duration.ZERO);
    }

    @BeforeAll
    static void serve() {
        prefill0 = new FakeEngine(seen -> prefilled());
        prefill1 = new FakeEngine(seen -> prefilled());
        prefillers = List.of(prefill0, prefill1);
        decode0 = new FakeEngine(seen -> tokens());
        decode1 = new FakeEngine(seen -> tokens());
        decoders = List.of(decode0, decode1);
        REGISTRY.pool(POOL);
        REGISTRY.aliases(POOL, "tiny-chat");
        REGISTRY.prefiller(POOL, "prefill-0", prefill0.url(), "none");
        REGISTRY.prefiller(POOL, "prefill-1", prefill1.url() + "/", "none");
        REGISTRY.worker(POOL, "decoder-0", decode0.url(), "none");
        REGISTRY.worker(POOL, "decoder-1", decode1.url(), "none");
        REGISTRY.publish(POOL, 1, Fixtures.artifact(1, 2));
        REGISTRY.activate(POOL, 1);
        SharedRouter.awaitGeneration(POOL, 1);
    }

    @AfterAll
    static void stop() {
        Stream.concat(prefillers.stream(), decoders.stream()).forEach(FakeEngine::close);
    }

    @BeforeEach
    void behave() {
        prefillers.forEach(engine -> engine.behave(seen -> prefilled()));
        decoders.forEach(engine -> engine.behave(seen -> tokens()));
        Stream.concat(prefillers.stream(), decoders.stream()).forEach(engine -> engine.seen.clear());
    }

    @AfterEach
    void nothingIsInFlightAnyMore() {
        client.shutdownNow();
        await().untilAsserted(() -> {
            assertThat(ROUTER.bean(GatewayMetrics.class).active()).isZero();
            ROUTER.get("/v1/pools/" + POOL + "/decoders")
                    .json()
                    .path("decoders")
                    .forEach(decoder ->
                            assertThat(decoder.path("inFlight").asInt()).isZero());
        });
    }

    @Test
    void theClientGetsTheDecodersBytesAndIsToldWhatWasDecided() {
        HttpResponse<String> answer = complete("{\"model\":\"tiny-chat\",\"prompt\":\"hello\",\"stream\":true}");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body())
                .isEqualTo(String.join("", FakeEngine.tokens(3, Duration.ZERO).events()));
        assertThat(header(answer, "content-type")).isEqualTo("text/event-stream; charset=utf-8");
        assertThat(header(answer, "x-accel-buffering")).isEqualTo("no");
        assertThat(header(answer, "x-eldr-decoder")).startsWith("decoder-");
        assertThat(header(answer, "x-eldr-policy")).isEqualTo("eldr");
        JsonNode explained = ROUTER.get("/v1/decisions/" + header(answer, "x-eldr-request-id"))
                .json();
        assertThat(explained.toString()).contains(header(answer, "x-eldr-decoder"));
    }

    @Test
    void thePrefillWorkerIsAskedForOneTokenAndTheDecoderGetsTheClientsBodyWithThePromptsState() {
        String body = "{ \"model\":\"tiny-chat\", \"prompt\":[1,2,3],\"max_tokens\":64,\"min_tokens\":4,"
                + "\"stream\":true,\"stream_options\":{\"include_usage\":true},\"seed\":12345678901234567890,"
                + "\"kv_transfer_params\":{\"remote_host\":\"evil\"},\"vendor\":{\"a\":1e-30} }";
        complete(body);

        Seen prefill = only(prefillers);
        Seen decode = only(decoders);
        JsonNode asked = JSON.readTree(prefill.body());
        assertThat(prefill.path()).isEqualTo("/v1/completions");
        assertThat(asked.path("max_tokens").asInt()).isEqualTo(1);
        assertThat(asked.path("stream").asBoolean(true)).isFalse();
        assertThat(asked.has("stream_options") || asked.has("min_tokens")).isFalse();
        assertThat(asked.path("kv_transfer_params").path("do_remote_decode").asBoolean())
                .isTrue();
        assertThat(asked.path("kv_transfer_params").has("remote_host")).isTrue();
        assertThat(asked.path("kv_transfer_params").path("remote_host").isNull())
                .isTrue();
        assertThat(decode.body())
                .contains("\"seed\":12345678901234567890", "\"vendor\":{\"a\":1e-30}", "\"max_tokens\":64")
                .contains("\"big\":123456789012345678901234567890", "[[311,312,977]]", "\"min_tokens\":4")
                .doesNotContain("evil", "eldr_sig");
        assertThat(decode.headers().get("X-Request-Id"))
                .isNotBlank()
                .isEqualTo(prefill.headers().get("X-Request-Id"));
    }

    @Test
    void theDecoderIsChosenByTheExpertsOfThePrompt() {
        List<String> reasons = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            reasons.add(header(complete(request("p" + i)), "x-eldr-reason"));
        }
        assertThat(reasons)
                .allMatch(reason -> List.of("nearest", "band", "min-candidates").contains(reason));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"AAAA\"", "\"%%%\"", "17", "null", "{}"})
    void aBadSignatureOfAnEngineNeverFailsARequest(String signature) {
        prefillers.forEach(engine ->
                engine.behave(seen -> FakeEngine.json(200, PREFILLED.replace("\"" + SIGNATURE + "\"", signature))));

        HttpResponse<String> answer = complete(request("hello"));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(header(answer, "x-eldr-reason")).isEqualTo("no-signature");
    }

    @Test
    void promptsThatBeginAlikeGoToTheSamePrefillWorker() {
        for (int i = 0; i < 8; i++) {
            complete(request("the same beginning"));
        }
        assertThat(List.of(prefill0.seen.size(), prefill1.seen.size())).containsExactlyInAnyOrder(8, 0);
        for (int i = 0; i < 40; i++) {
            complete(request("another beginning " + i));
        }
        assertThat(Math.min(prefill0.seen.size(), prefill1.seen.size())).isGreaterThan(5);
    }

    @Test
    void headersFromOutsideChooseNeitherWorkersNorRanksAndHopsKeepTheirOwn() {
        send(post(request("x"))
                .header("X-Data-Parallel-Rank", "7")
                .header("x-eldr-decoder", "decoder-9")
                .header("x-prefiller-host-port", "10.0.0.1:1")
                .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                .header("Authorization", "Bearer engine-key"));
        Seen decode = only(decoders);
        assertThat(decode.headers().names().stream().map(String::toLowerCase).toList())
                .doesNotContain("x-data-parallel-rank", "x-eldr-decoder", "x-prefiller-host-port", "upgrade")
                .contains("traceparent");
        assertThat(decode.headers().get("Authorization")).isEqualTo("Bearer engine-key");
        assertThat(decode.headers().getAll("Content-Length")).hasSize(1);
    }

    @Test
    void anEnginesHeadersOfOneHopEndAtTheGatewayAndTheOthersReachTheClientOnce() {
        Map<String, String> ofTheEngine = Map.of(
                "Content-Type", "application/json; charset=utf-8",
                "Server", "uvicorn",
                "X-Vendor", "kept",
                "Connection", "keep-alive, X-This-Hop",
                "Keep-Alive", "timeout=5",
                "X-This-Hop", "1",
                "Proxy-Authenticate", "Basic",
                "Trailer", "X-Late",
                "Upgrade", "h2c");
        decoders.forEach(engine -> engine.behave(seen -> new FakeEngine.Answer(200, ofTheEngine, "{\"id\":\"x\"}")));

        HttpResponse<String> answer = complete(request("x"));

        assertThat(answer.body()).isEqualTo("{\"id\":\"x\"}");
        assertThat(answer.headers().allValues("content-type")).containsExactly("application/json; charset=utf-8");
        assertThat(answer.headers().allValues("server")).containsExactly("uvicorn");
        assertThat(answer.headers().allValues("x-vendor")).containsExactly("kept");
        assertThat(answer.headers().map().keySet())
                .doesNotContain("keep-alive", "x-this-hop", "proxy-authenticate", "trailer", "upgrade");
        assertThat(answer.headers().allValues("connection")).noneMatch(value -> value.contains("X-This-Hop"));
    }

    static Stream<Arguments> badRequests() {
        return Stream.of(
                Arguments.of("body", "[]"),
                Arguments.of("body", "{\"model\":"),
                Arguments.of("body", ""),
                Arguments.of("body", "{} {}"),
                Arguments.of("model", "{\"prompt\":\"x\"}"),
                Arguments.of("model", "{\"prompt\":\"x\",\"model\":7}"),
                Arguments.of("prompt", "{\"model\":\"tiny-chat\"}"),
                Arguments.of("prompt", "{\"model\":\"tiny-chat\",\"prompt\":7}"),
                Arguments.of("prompt", "{\"model\":\"tiny-chat\",\"prompt\":[\"a\",\"b\"]}"),
                Arguments.of("prompt", "{\"model\":\"tiny-chat\",\"prompt\":[[1],[2]]}"),
                Arguments.of("n", "{\"model\":\"tiny-chat\",\"prompt\":\"x\",\"n\":2}"),
                Arguments.of("best_of", "{\"model\":\"tiny-chat\",\"prompt\":\"x\",\"best_of\":3}"),
                Arguments.of("stream", "{\"model\":\"tiny-chat\",\"prompt\":\"x\",\"stream\":\"yes\"}"));
    }

    @ParameterizedTest
    @MethodSource("badRequests")
    void aBadRequestIsRefusedInOpenAisFormAndReachesNoEngine(String param, String body) {
        HttpResponse<String> answer = complete(body);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        JsonNode error = JSON.readTree(answer.body()).path("error");
        assertThat(error.path("param").asString()).as(answer.body()).isEqualTo(param);
        assertThat(error.path("type").asString()).isEqualTo("invalid_request_error");
        assertThat(prefill0.seen).isEmpty();
    }

    @Test
    void anUnknownModelIsNotFound() {
        HttpResponse<String> answer = complete("{\"model\":\"nope\",\"prompt\":\"x\"}");

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(code(answer)).isEqualTo("model_not_found");
    }

    @Test
    void modelsAreListedByTheNamesThatCanBeAskedFor() {
        HttpResponse<String> answer =
                send(HttpRequest.newBuilder(uri("/v1/models")).GET());

        assertThat(JSON.readTree(answer.body()).path("data").findValuesAsString("id"))
                .contains("tiny-chat");
    }

    @Test
    void aBodyOneByteOverTheLimitIsACleanRefusalAndOneAtTheLimitPasses() {
        int limit = 32 * 1024 * 1024;
        String begin = "{\"model\":\"tiny-chat\",\"prompt\":\"";
        String atLimit = begin + "x".repeat(limit - begin.length() - 2) + "\"}";

        assertThat(complete(atLimit + " ").statusCode()).isEqualTo(413);
        assertThat(complete(atLimit).statusCode()).isEqualTo(200);
    }

    @Test
    void anEnginesClientErrorPassesUnchangedAndIsNotTriedAgain() {
        String refusal = "{\"object\":\"error\",\"message\":\"too long\",\"type\":\"BadRequestError\",\"code\":400}";
        prefillers.forEach(engine -> engine.behave(seen -> FakeEngine.json(400, refusal)));
        HttpResponse<String> early = complete(request("a"));
        assertThat(early.statusCode()).isEqualTo(400);
        assertThat(early.body()).isEqualTo(refusal);
        // vLLM answers some prompts that are too long with 500.
        prefillers.forEach(engine -> engine.behave(seen -> FakeEngine.json(500, refusal)));
        HttpResponse<String> disguised = complete(request("a"));
        assertThat(disguised.statusCode()).isEqualTo(500);
        assertThat(disguised.body()).isEqualTo(refusal);
        assertThat(prefill0.seen.size() + prefill1.seen.size()).isEqualTo(2);

        prefillers.forEach(engine -> engine.behave(seen -> prefilled()));
        decoders.forEach(engine -> engine.behave(seen -> FakeEngine.json(422, refusal)));
        HttpResponse<String> late = complete(request("a"));
        assertThat(late.statusCode()).isEqualTo(422);
        assertThat(late.body()).isEqualTo(refusal);
        assertThat(decode0.seen.size() + decode1.seen.size()).isEqualTo(1);
    }

    @Test
    void theFirstTokenComesWhileTheOthersAreStillBeingMade() throws IOException {
        decoders.forEach(engine -> engine.behave(seen -> FakeEngine.tokens(3, Duration.ofMinutes(5))));
        try (Socket socket = rawRequest(request("x"))) {
            socket.setSoTimeout(60_000);
            StringBuilder text = new StringBuilder();
            while (!text.toString().contains(" t0")) {
                int next = socket.getInputStream().read();
                assertThat(next).as("after %s", text).isNotNegative();
                text.append((char) next);
            }
            assertThat(text.toString()).doesNotContain(" t1");
        }
    }

    @Test
    void whereTheFirstTokenIsTheLastOneThePrefillWorkersAnswerIsTheAnswer() {
        prefillers.forEach(
                engine -> engine.behave(seen -> FakeEngine.json(200, PREFILLED.replace("\"length\"", "\"stop\""))));

        HttpResponse<String> whole = complete(request("x"));
        HttpResponse<String> stream = complete("{\"model\":\"tiny-chat\",\"prompt\":\"x\",\"stream\":true}");
        HttpResponse<String> counted = complete("{\"model\":\"tiny-chat\",\"prompt\":\"x\",\"stream\":true,"
                + "\"stream_options\":{\"include_usage\":true}}");

        assertThat(JSON.readTree(whole.body())
                        .path("choices")
                        .path(0)
                        .path("text")
                        .asString())
                .isEqualTo(" a");
        assertThat(whole.body()).doesNotContain("kv_transfer_params");
        assertThat(stream.body())
                .startsWith("data: {")
                .endsWith("data: [DONE]\n\n")
                .contains("\"stop\"")
                .doesNotContain("usage");
        assertThat(counted.body()).contains("\"choices\":[],\"usage\":{\"prompt_tokens\":10}");
        assertThat(decode0.seen.size() + decode1.seen.size()).isZero();
    }

    @Test
    void aPrefillWorkerWhoseAnswerCannotBeReadIsReplacedByAnotherUnderAnotherId() {
        String pool = "gateway-garbage";
        REGISTRY.pool(pool);
        REGISTRY.prefiller(pool, "prefill-0", prefill0.url(), "none");
        REGISTRY.prefiller(pool, "prefill-1", prefill1.url(), "none");
        REGISTRY.worker(pool, "decoder-0", decode0.url(), "none");
        await().until(() -> !ROUTER.get("/v1/pools/" + pool + "/decoders")
                .json()
                .path("decoders")
                .isEmpty());
        prefill0.behave(seen -> FakeEngine.json(200, "not json"));
        for (int i = 0; i < 6; i++) {
            assertThat(complete("{\"model\":\"" + pool + "\",\"prompt\":\"" + i + "\"}")
                            .statusCode())
                    .isEqualTo(200);
        }
        assertThat(Stream.concat(prefill0.seen.stream(), prefill1.seen.stream())
                        .map(seen -> seen.headers().get("X-Request-Id"))
                        .toList())
                .hasSize(6 + prefill0.seen.size())
                .doesNotHaveDuplicates();
    }

    @Test
    void aDecoderThatWasNotReachedIsReplacedWithoutANewPrefill() {
        String pool = "gateway-refused";
        REGISTRY.pool(pool);
        REGISTRY.aliases(pool, pool);
        REGISTRY.prefiller(pool, "prefill-0", prefill0.url(), "none");
        REGISTRY.worker(pool, "decoder-0", "http://127.0.0.1:" + FreePorts.of(1).getFirst(), "none");
        REGISTRY.worker(pool, "decoder-1", decode1.url(), "none");
        await().until(() -> ROUTER.get("/v1/pools/" + pool + "/decoders")
                        .json()
                        .path("decoders")
                        .size()
                == 2);
        for (int i = 0; i < 6; i++) {
            assertThat(complete("{\"model\":\"" + pool + "\",\"prompt\":\"" + i + "\"}")
                            .statusCode())
                    .isEqualTo(200);
        }
        assertThat(prefill0.seen).hasSize(6);
    }

    private static String request(String prompt) {
        return JSON.writeValueAsString(Map.of("model", "tiny-chat", "prompt", prompt));
    }

    private HttpResponse<String> complete(String body) {
        return send(post(body));
    }

    private static HttpRequest.Builder post(String body) {
        return HttpRequest.newBuilder(uri("/v1/completions"))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static Socket rawRequest(String body) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), ROUTER.port());
        socket.getOutputStream()
                .write(("POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
                                + body.length() + "\r\n\r\n" + body)
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static URI uri(String path) {
        return URI.create("http://127.0.0.1:" + ROUTER.port() + path);
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    private static String code(HttpResponse<String> answer) {
        return JSON.readTree(answer.body()).path("error").path("code").asString("");
    }

    private static Seen only(List<FakeEngine> engines) {
        List<Seen> all =
                engines.stream().flatMap(engine -> engine.seen.stream()).toList();
        assertThat(all).hasSize(1);
        return all.getFirst();
    }
}
