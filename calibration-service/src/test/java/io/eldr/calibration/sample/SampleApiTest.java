package io.eldr.calibration.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import io.eldr.core.signature.EldrSigForm;
import io.eldr.core.signature.ExpertCounts;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class SampleApiTest {
    private final ApiClient client = TestServer.shared().as(TestToken.CLIENT);
    private final ApiClient viewer = TestServer.shared().as(TestToken.VIEWER);
    private final TestPool pool = TestPool.create(TestServer.shared());

    @Test
    void countsWhatItTakesAndTellsDuplicatesApart() {
        JsonNode first = client.postSamples(pool.name(), TestPool.lines("a", 10, i -> i < 4))
                .expect(200)
                .json();
        assertThat(first.toString()).isEqualTo("{\"accepted\":10,\"duplicates\":0}");
        JsonNode second = client.postSamples(pool.name(), TestPool.lines("a", 12, i -> true) + "\n\r\n \n")
                .expect(200)
                .json();
        assertThat(second.toString()).isEqualTo("{\"accepted\":2,\"duplicates\":10}");
        JsonNode summary = viewer.get(pool.path() + "/samples").expect(200).json();
        assertThat(summary.path("count").asInt()).isEqualTo(12);
        assertThat(summary.path("withDecode").asInt()).isEqualTo(6);
        assertThat(summary.path("labels").path("topic-0").asInt()).isEqualTo(3);
        assertThat(summary.path("newest").asString()).matches("20..-.*Z");
    }

    @Test
    void theAuditLogNamesWhoImportedSamplesAndLeavesOutWhatRoutersSend() {
        client.postSamples(pool.name(), TestPool.lines("router", 3, i -> false)).expect(200);
        TestServer.shared()
                .as(TestToken.OPERATOR)
                .postSamples(pool.name(), TestPool.lines("import", 2, i -> false))
                .expect(200);

        assertThat(viewer.get("/v1/audit?pool=" + pool.name())
                        .json()
                        .valueStream()
                        .filter(entry -> entry.path("action").asString().equals("samples.add"))
                        .map(entry -> entry.path("actor").asString() + " "
                                + entry.path("after").path("accepted").asInt()))
                .containsExactly("operator 2");
    }

    @Test
    void takesBothWireFormsAndSamplesWithoutLabel() {
        ExpertCounts counts = TestPool.counts(0, 5, new Random(1));
        client.postSamples(pool.name(), """
                        {"requestId":"x","promptTokens":5,"prefill":{"eldr":{"v":1,"layers":4,"experts":8,"tokens":5,"dtype":"u16","counts":"%s"}}}
                        {"requestId":"y","promptTokens":5,"prefill":{"eldr_sig":"%s"},"decodeTokens":0}""".formatted(EldrSigForm.write(counts), EldrSigForm.write(counts)))
                .expect(200);
        assertThat(viewer.get(pool.path() + "/samples").json().path("labels")).isEmpty();
    }

    static Stream<Arguments> badLines() {
        String good = TestPool.line("bad", 0, 1, true);
        ExpertCounts counts = TestPool.counts(0, 5, new Random(1));
        int[] cells = counts.toArray();
        cells[9]++;
        String wrongSum = EldrSigForm.write(ExpertCounts.of(4, 8, cells));
        cells = counts.toArray();
        String sig = EldrSigForm.write(counts);
        String shortSig = EldrSigForm.write(ExpertCounts.of(3, 8, Arrays.copyOf(cells, 24)));
        byte[] negative = java.util.Base64.getDecoder().decode(sig);
        negative[1] = (byte) 0x80;
        String template = "{\"requestId\":\"q\",\"promptTokens\":5,\"prefill\":%s%s}";
        String eldr = "{\"eldr\":{\"v\":1,\"layers\":4,\"experts\":8,\"tokens\":5,\"dtype\":\"u16\",\"counts\":\"" + sig
                + "\"}}";
        return Stream.of(
                Arguments.of("no request id", good.replace("\"requestId\":\"bad\",", ""), "line 2: requestId"),
                Arguments.of("blank request id", good.replace("\"bad\"", "\" \""), "line 2: requestId"),
                Arguments.of("request id too long", good.replace("bad", "b".repeat(201)), "line 2: requestId"),
                Arguments.of("request id of line 1", good.replace("\"bad\"", "\"ok\""), "line 2: requestId"),
                Arguments.of("label too long", good.replace("topic-0", "t".repeat(201)), "line 2: label"),
                Arguments.of("label with NUL", good.replace("topic-0", "t\\u0000"), "line 2: label"),
                Arguments.of("no prompt tokens", good.replaceAll("\"promptTokens\":\\d+,", ""), "line 2: promptTokens"),
                Arguments.of(
                        "negative prompt tokens", good.replaceAll("\"promptTokens\":", "$0-"), "line 2: promptTokens"),
                Arguments.of(
                        "too many prompt tokens",
                        good.replaceAll("(\"promptTokens\":)\\d+", "$199999999999"),
                        "line 2: promptTokens"),
                Arguments.of("no prefill", "{\"requestId\":\"q\",\"promptTokens\":5}", "line 2: prefill"),
                Arguments.of("empty prefill", template.formatted("{}", ""), "line 2: prefill"),
                Arguments.of(
                        "unknown wire form", template.formatted("{\"sglang\":\"x\"}", ""), "line 2: prefill.sglang"),
                Arguments.of(
                        "two wire forms",
                        template.formatted("{\"eldr_sig\":\"" + sig + "\"," + eldr.substring(1), ""),
                        "line 2: prefill"),
                Arguments.of(
                        "not base64", template.formatted("{\"eldr_sig\":\"!!!\"}", ""), "line 2: prefill.eldr_sig"),
                Arguments.of(
                        "wrong shape",
                        template.formatted("{\"eldr_sig\":\"" + shortSig + "\"}", ""),
                        "line 2: prefill.eldr_sig"),
                Arguments.of(
                        "wrong row sum",
                        template.formatted("{\"eldr_sig\":\"" + wrongSum + "\"}", ""),
                        "line 2: prefill.eldr_sig"),
                Arguments.of(
                        "negative count",
                        template.formatted(
                                "{\"eldr_sig\":\""
                                        + java.util.Base64.getEncoder().encodeToString(negative) + "\"}",
                                ""),
                        "line 2: prefill.eldr_sig"),
                Arguments.of(
                        "eldr of another L",
                        template.formatted(eldr.replace("\"layers\":4", "\"layers\":5"), ""),
                        "line 2: prefill.eldr.layers"),
                Arguments.of(
                        "eldr of unknown type",
                        template.formatted(eldr.replace("u16", "f32"), ""),
                        "line 2: prefill.eldr.dtype"),
                Arguments.of(
                        "eldr with other tokens",
                        template.formatted(eldr.replace("\"tokens\":5", "\"tokens\":6"), ""),
                        "line 2: prefill.eldr.counts"),
                Arguments.of(
                        "eldr with NaN",
                        template.formatted(eldr.replace("\"tokens\":5", "\"tokens\":NaN"), ""),
                        "line 2: prefill.eldr"),
                Arguments.of(
                        "decode tokens without decode",
                        template.formatted(eldr, ",\"decodeTokens\":3"),
                        "line 2: decode"),
                Arguments.of(
                        "decode without tokens",
                        template.formatted(eldr, ",\"decode\":" + eldr),
                        "line 2: decodeTokens"),
                Arguments.of(
                        "decode of other length",
                        template.formatted(eldr, ",\"decodeTokens\":4,\"decode\":" + eldr),
                        "line 2: decode.eldr.counts"),
                Arguments.of("unknown field", template.formatted(eldr, ",\"mood\":1"), "line 2: mood"),
                Arguments.of("no JSON", "nonsense", "line 2"),
                Arguments.of("cut off", good.substring(0, good.length() / 2), "line 2: prefill.eldr_sig"),
                Arguments.of("no object", "[]", "line 2"),
                Arguments.of("null", "null", "line 2"),
                Arguments.of("two objects", good + good, "line 2"),
                Arguments.of("endless line", "{\"requestId\":\"" + "x".repeat(40_000), "line 2"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badLines")
    void refusesTheWholeBodyForOneBadLine(String what, String line, String field) {
        String body = TestPool.line("ok", 1, 2, false) + "\n" + line + "\n" + TestPool.line("also-ok", 1, 3, false);
        JsonNode problem = client.postSamples(pool.name(), body)
                .expectProblem(400, "invalid-input")
                .json();
        assertThat(problem.path("field").asString()).as(problem.toString()).isEqualTo(field);
        assertThat(viewer.get(pool.path() + "/samples").json().path("count").asInt())
                .as("nothing is half-stored")
                .isZero();
    }

    @Test
    void refusesTheWholeBodyForABadLineFarBehindItsFirstBatch() {
        String body = TestPool.lines("many", 450, i -> false) + "\n{\"requestId\":\"late\"}";
        TestServer.shared()
                .as(TestToken.OPERATOR)
                .postSamples(pool.name(), body)
                .expectInvalid("line 451: promptTokens");
        assertThat(viewer.get(pool.path() + "/samples").json().path("count").asInt())
                .isZero();
        assertThat(viewer.get("/v1/audit?pool=" + pool.name()).json().toString())
                .doesNotContain("samples.add");
    }

    @Test
    void refusesEmptyBodiesOtherTypesAndUnknownPools() {
        client.postSamples(pool.name(), "\n\n").expectInvalid("body");
        client.post(pool.path() + "/samples", TestPool.line("a", 0, 0, false))
                .expectProblem(415, "unsupported-media-type");
        client.postSamples("nobody", TestPool.line("a", 0, 0, false)).expectProblem(404, "not-found");
    }

    @ParameterizedTest
    @ValueSource(strings = {"samples", "artifacts", "refits"})
    void refusesABodyWhoseChunksAreMalformed(String resource) throws IOException {
        String type = resource.equals("samples") ? "application/x-ndjson" : "application/json";
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), TestServer.shared().port())) {
            String request =
                    "POST " + pool.path() + "/" + resource + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                            + TestToken.OPERATOR.raw() + "\r\nContent-Type: " + type
                            + "\r\nTransfer-Encoding: chunked\r\n\r\nnot-a-length\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            BufferedReader answer =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            assertThat(answer.readLine()).startsWith("HTTP/1.1 400");
        }
    }

    @Test
    void refusesBodiesOverTheLimitWhetherTheyAnnounceItOrNot() {
        try (TestServer small = TestServer.start(TestServer.sharedDatabase(), "eldr.calibration.bodies.samples=20KB")) {
            ApiClient limited = small.as(TestToken.CLIENT);
            byte[] body = TestPool.lines("big", 200, i -> true).getBytes(StandardCharsets.UTF_8);
            limited.post(pool.path() + "/samples", "application/x-ndjson", BodyPublishers.ofByteArray(body))
                    .expectProblem(413, "too-large");
            limited.post(
                            pool.path() + "/samples",
                            "application/x-ndjson",
                            BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))
                    .expectProblem(413, "too-large");
            limited.postSamples(pool.name(), TestPool.lines("small", 20, i -> true))
                    .expect(200);
        }
        assertThat(viewer.get(pool.path() + "/samples").json().path("count").asInt())
                .isEqualTo(20);
    }
}
