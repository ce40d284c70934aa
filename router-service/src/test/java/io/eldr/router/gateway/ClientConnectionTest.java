package io.eldr.router.gateway;

import static io.eldr.router.testing.GatewayClient.COMPLETIONS;
import static io.eldr.router.testing.GatewayClient.completion;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.router.testing.GatewayClient;
import io.eldr.router.testing.SimulatedPool;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One connection, with requests for the gateway and for the rest of the API over it, however a client sends them. */
class ClientConnectionTest {
    private static final String CLOSE = "Connection: close\r\n";

    private final SimulatedPool pool = SimulatedPool.engines(1, 1).serve();
    private final GatewayClient client = GatewayClient.ofRouter();
    private final String completion =
            completion(pool.name(), "over a connection", 3).toString();
    private final String stream =
            completion(pool.name(), "over a connection", 3).put("stream", true).toString();

    @AfterEach
    void nothingIsInFlightAnyMore() {
        pool.awaitIdle();
        await().until(() -> ROUTER.bean(GatewayMetrics.class).active() == 0);
        client.close();
        pool.close();
    }

    @Test
    void requestsThatAreSentAtOnceAreAnsweredInTheirOrder() throws IOException {
        String expected = client.post(COMPLETIONS, completion).body();

        List<String> answers = answers(get("/livez", "")
                + post(completion, "")
                + get("/v1/models", "")
                + get("/livez", "")
                + get("/livez", "")
                + post(completion, CLOSE));

        assertThat(answers).hasSize(6).allMatch(answer -> answer.startsWith("200"));
        assertThat(answers.get(1)).endsWith(expected);
        assertThat(answers.get(2)).contains("\"object\":\"list\"", pool.name());
        assertThat(answers.get(5)).endsWith(expected);
    }

    @Test
    void aConnectionIsKeptBetweenRequestsOfEitherKind() throws IOException {
        try (Socket socket = open()) {
            for (String request :
                    List.of(post(stream, ""), get("/livez", ""), post(completion, ""), get("/v1/models", ""))) {
                socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
                assertThat(answer(socket.getInputStream())).startsWith("HTTP/1.1 200");
            }
        }
    }

    @Test
    void aClientOfHttp10GetsItsStreamWithoutChunksAndThenTheEnd() throws IOException {
        String expected = client.post(COMPLETIONS, stream).body();

        List<String> answers = answers(post(stream, "").replace("HTTP/1.1", "HTTP/1.0"));

        assertThat(answers).hasSize(1);
        assertThat(answers.getFirst()).endsWith("\r\n\r\n" + expected).doesNotContain("chunked");
    }

    @Test
    void aClientThatAsksBeforeItSendsIsToldToGoOn() throws IOException {
        assertThat(answers(post(completion, "Expect: 100-continue\r\n" + CLOSE)))
                .satisfiesExactly(
                        interim -> assertThat(interim).startsWith("100"),
                        answer -> assertThat(answer).startsWith("200"));
    }

    @Test
    void aBodyThatIsAnnouncedTooLargeIsRefusedBeforeItComes() throws IOException {
        String head = "POST " + COMPLETIONS + " HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n{";

        try (Socket socket = open()) {
            socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
            assertThat(answer(socket.getInputStream()))
                    .startsWith("HTTP/1.1 413")
                    .contains("body_too_large");
        }
    }

    @Test
    void anotherMethodIsRefusedInOpenAisForm() throws IOException {
        assertThat(answers(get(COMPLETIONS, CLOSE)))
                .singleElement()
                .asString()
                .startsWith("405")
                .contains("\"code\":\"method_not_allowed\"");
    }

    @Test
    void whatIsNoHttpIsRefusedByTheServer() throws IOException {
        assertThat(answers("POST " + COMPLETIONS + " HTTP/1.1\r\nContent-Length: minus\r\n\r\n"))
                .allMatch(answer -> answer.startsWith("4"));
    }

    private static String post(String body, String headers) {
        return "POST " + COMPLETIONS + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length() + "\r\n" + headers + "\r\n" + body;
    }

    private static String get(String path, String headers) {
        return "GET " + path + " HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n";
    }

    private static Socket open() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), ROUTER.port());
        socket.setSoTimeout((int) Duration.ofSeconds(30).toMillis());
        return socket;
    }

    /** All answers over a connection that the server closes, each from its status on. */
    private static List<String> answers(String requests) throws IOException {
        try (Socket socket = open()) {
            socket.getOutputStream().write(requests.getBytes(StandardCharsets.UTF_8));
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return Arrays.stream(all.split("HTTP/1\\.[01] ", -1))
                    .filter(answer -> !answer.isEmpty())
                    .toList();
        }
    }

    /** One answer over a connection that stays open. */
    private static String answer(InputStream in) throws IOException {
        StringBuilder seen = new StringBuilder();
        while (!isWhole(seen.toString())) {
            int next = in.read();
            assertThat(next).as("after %s", seen).isNotNegative();
            seen.append((char) next);
        }
        return seen.toString();
    }

    private static boolean isWhole(String seen) {
        int head = seen.indexOf("\r\n\r\n");
        if (head < 0) {
            return false;
        }
        String lower = seen.substring(0, head).toLowerCase(java.util.Locale.ROOT);
        int told = lower.indexOf("content-length: ");
        if (told < 0) {
            return seen.endsWith("\r\n0\r\n\r\n");
        }
        String length = lower.substring(told + "content-length: ".length())
                .lines()
                .findFirst()
                .orElseThrow();
        return seen.length() >= head + "\r\n\r\n".length() + Integer.parseInt(length);
    }
}
