package io.eldr.router.route;

import static io.eldr.router.testing.SharedRouter.ROUTER;
import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.router.testing.Fixtures;
import io.eldr.router.testing.SharedRouter;
import io.eldr.router.testing.TestRouter;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is answered before the framework: as it would answer, in turn with what it answers. */
class DirectCallsTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String POOL = "direct";
    private static final String FRAMEWORK = "GET /v1/pools/" + POOL + "/decoders HTTP/1.1\r\n";
    /** What the framework's answers have and direct ones do not. */
    private static final String BY_FRAMEWORK = "X-Frame-Options";

    @BeforeAll
    static void serve() {
        SharedRouter.servingPool(POOL, 3);
    }

    @Test
    void answersAreThoseOfTheFramework() throws IOException {
        String json = JSON.writeValueAsString(body(POOL, "same", "dryRun", true));
        try (Wire wire = new Wire()) {
            wire.send(post("/v1/route", "application/json", json.length(), "") + json);
            // Pieces of unknown length are the framework's.
            wire.send(head("POST /v1/route HTTP/1.1\r\n") + "Content-Type: application/json\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(json.length()) + "\r\n" + json
                    + "\r\n0\r\n\r\n");

            Reply direct = wire.reply();
            Reply framework = wire.reply();

            assertThat(direct.head()).doesNotContain(BY_FRAMEWORK);
            assertThat(framework.head()).contains(BY_FRAMEWORK);
            assertThat(direct.status()).isEqualTo(200);
            assertThat(direct.json().propertyNames())
                    .containsExactlyElementsOf(framework.json().propertyNames());
            assertThat(direct.json().path("policy")).isEqualTo(framework.json().path("policy"));
        }
    }

    @Test
    void aTokenOfAProviderIsTheFrameworksToCheck() {
        TestRouter.Answer own = ROUTER.post("/v1/route", body(POOL, "own-token"));
        assertThat(own.response().headers().firstValue(BY_FRAMEWORK)).isEmpty();

        Optional<String> token = Optional.of(SharedRouter.ISSUER.token("gateway", "client"));
        TestRouter.Answer framework = ROUTER.send(ROUTER.request("/v1/route", token)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body(POOL, "jwt")))));
        assertThat(framework.status()).as(framework.text()).isEqualTo(200);
        assertThat(framework.response().headers().firstValue(BY_FRAMEWORK)).isPresent();

        for (TestRouter.Answer opened : List.of(own, framework)) {
            String reservation = opened.json().at("/reservation/id").asString();
            TestRouter.Answer closed = ROUTER.send(
                    ROUTER.request("/v1/reservations/" + reservation, token).DELETE());
            assertThat(closed.status()).isEqualTo(204);
            assertThat(closed.response().headers().firstValue(BY_FRAMEWORK)).isPresent();
        }
    }

    @Test
    void rawCountsWithParametersThatAreEncodedReserveAUnitOfLoad() throws IOException {
        byte[] counts = new byte[2 * Fixtures.GEOMETRY.cells()];
        Arrays.fill(counts, (byte) 1);
        try (Wire wire = new Wire()) {
            wire.send(post(
                    "/v1/route?pool=" + POOL + "&requestId=a%2Fb+c&promptTokens=9&exclude=decoder-0,decoder-1",
                    "application/octet-stream",
                    counts.length,
                    ""));
            wire.send(counts);

            Reply answer = wire.reply();

            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(answer.head()).doesNotContain(BY_FRAMEWORK).contains("content-type: application/json");
            assertThat(answer.json().path("requestId").asString()).isEqualTo("a/b c");
            assertThat(answer.json().path("decoder").path("id").asString()).isEqualTo("decoder-2");
            String reservation = answer.json().path("reservation").path("id").asString();
            assertThat(ROUTER.delete("/v1/reservations/" + reservation).status())
                    .isEqualTo(204);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void whatIsSentAheadIsAnsweredInItsOrderHoweverItIsCut(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder requests = new StringBuilder();
        List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            switch (random.nextInt(4)) {
                case 0 -> {
                    requests.append(head(FRAMEWORK)).append("\r\n");
                    expected.add(200);
                }
                case 1 -> {
                    String bad = "{\"pool\":\"nobody-has-it\",\"requestId\":\"x\",\"promptTokens\":1}";
                    requests.append(post("/v1/route", "application/json", bad.length(), ""))
                            .append(bad);
                    expected.add(404);
                }
                default -> {
                    String good = JSON.writeValueAsString(body(POOL, "cut-" + i, "dryRun", true));
                    requests.append(post("/v1/route", "application/json", good.length(), ""))
                            .append(good);
                    expected.add(200);
                }
            }
        }
        byte[] all = requests.toString().getBytes(StandardCharsets.UTF_8);
        try (Wire wire = new Wire()) {
            int at = 0;
            while (at < all.length) {
                int next = Math.min(all.length, at + 1 + random.nextInt(700));
                wire.send(Arrays.copyOfRange(all, at, next));
                at = next;
            }
            for (int i = 0; i < expected.size(); i++) {
                assertThat(wire.reply().status()).as("answer %d", i).isEqualTo(expected.get(i));
            }
        }
    }

    @Test
    void aRefusalThatComesWithTheDecisionSaysWhenToTryAgain() throws IOException {
        String none =
                JSON.writeValueAsString(body(POOL, "none", "exclude", List.of("decoder-0", "decoder-1", "decoder-2")));
        try (Wire wire = new Wire()) {
            wire.send(post("/v1/route", "application/json", none.length(), "") + none);

            Reply refusal = wire.reply();

            assertThat(refusal.status()).isEqualTo(503);
            assertThat(refusal.head())
                    .contains("Retry-After: 1", "application/problem+json")
                    .doesNotContain(BY_FRAMEWORK);
            assertThat(refusal.json().path("type").asString()).endsWith("/no-decoder");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"DELETE ", "DELETE ?outcome=aborted", "POST /close{\"outcome\":\"completed\",\"tpotMs\":12.5}"})
    void aReservationIsClosedOnceAndASecondCloseIsForTheFramework(String how) throws IOException {
        String path = "/v1/reservations/"
                + ROUTER.post("/v1/route", body(POOL, "closes " + how))
                        .json()
                        .path("reservation")
                        .path("id")
                        .asString();
        int brace = how.indexOf('{');
        String json = brace < 0 ? "" : how.substring(brace);
        String end = brace < 0 ? how.substring("DELETE ".length()) : "/close";
        String request = head((brace < 0 ? "DELETE " : "POST ") + path + end + " HTTP/1.1\r\n")
                + "Content-Type: application/json\r\nContent-Length: " + json.length() + "\r\n\r\n" + json;
        try (Wire wire = new Wire()) {
            wire.send(request + request);

            Reply first = wire.reply();
            Reply second = wire.reply();

            assertThat(first.status()).isEqualTo(204);
            assertThat(first.head()).doesNotContain(BY_FRAMEWORK);
            assertThat(second.status()).isEqualTo(204);
            assertThat(second.head()).contains(BY_FRAMEWORK);
            assertThat(ROUTER.get("/v1/pools/" + POOL + "/decoders").json().path("decoders"))
                    .allSatisfy(decoder ->
                            assertThat(decoder.path("inFlight").asInt()).isZero());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"?outcome=perhaps", "?outcome=", "/", "?outcome=completed&x=1"})
    void closesThatAreNotPlainAreForTheFramework(String end) throws IOException {
        String path = "/v1/reservations/"
                + ROUTER.post("/v1/route", body(POOL, "stays " + end))
                        .json()
                        .path("reservation")
                        .path("id")
                        .asString();
        try (Wire wire = new Wire()) {
            wire.send(head("DELETE " + path + end + " HTTP/1.1\r\n") + "\r\n");

            assertThat(wire.reply().head()).contains(BY_FRAMEWORK);
        }
        ROUTER.delete(path);
    }

    @Test
    void aConnectionThatIsToEndEndsAfterTheAnswer() throws IOException {
        String json = JSON.writeValueAsString(body(POOL, "ends", "dryRun", true));
        try (Wire wire = new Wire()) {
            wire.send(post("/v1/route", "application/json", json.length(), "Connection: close\r\n") + json);

            assertThat(wire.reply().status()).isEqualTo(200);
            assertThat(wire.isAtEnd()).isTrue();
        }
    }

    @Test
    void aClientThatDoesNotReadItsAnswersIsNotReadEither() throws Exception {
        String json = JSON.writeValueAsString(body(POOL, "unread", "dryRun", true));
        byte[] request =
                (post("/v1/route", "application/json", json.length(), "") + json).getBytes(StandardCharsets.UTF_8);
        try (SocketChannel channel =
                SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), ROUTER.port()))) {
            ByteBuffer next = ByteBuffer.wrap(request);
            long sent = 0;
            try (Selector selector = Selector.open()) {
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_WRITE);
                while (selector.select(1_000) > 0) {
                    selector.selectedKeys().clear();
                    sent += channel.write(next);
                    assertThat(sent).as("bytes that were taken").isLessThan(256L << 20);
                    if (!next.hasRemaining()) {
                        next.rewind();
                    }
                }
            }

            channel.configureBlocking(true);
            InputStream in = new BufferedInputStream(channel.socket().getInputStream());
            for (long whole = sent / request.length; whole > 0; whole--) {
                assertThat(Wire.reply(in).status()).isEqualTo(200);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization: Bearer nobody's",
                "Authorization: Bearer " + TestRouter.VIEWER,
                "Authorization: Basic " + TestRouter.CLIENT,
                "Accept: text/plain",
                "Content-Encoding: gzip",
                "Content-Type: text/plain"
            })
    void whatIsNotPlainIsForTheFramework(String header) throws IOException {
        String json = JSON.writeValueAsString(body(POOL, "not-plain", "dryRun", true));
        String name = header.substring(0, header.indexOf(':') + 1);
        String request = post("/v1/route", "application/json", json.length(), "Accept: */*\r\n")
                        .lines()
                        .filter(line -> !line.startsWith(name) && !line.isEmpty())
                        .reduce("", (lines, line) -> lines + line + "\r\n")
                + header + "\r\n\r\n" + json;
        try (Wire wire = new Wire()) {
            wire.send(request);

            assertThat(wire.reply().head()).contains(BY_FRAMEWORK);
        }
    }

    private static String post(String path, String contentType, int length, String more) {
        return head("POST " + path + " HTTP/1.1\r\n") + "Content-Type: " + contentType + "\r\nContent-Length: " + length
                + "\r\n" + more + "\r\n";
    }

    private static String head(String line) {
        return line + "Host: x\r\nAuthorization: Bearer "
                + (line.startsWith("GET") ? TestRouter.VIEWER : TestRouter.CLIENT) + "\r\n";
    }

    private record Reply(String head, String body) {
        int status() {
            return Integer.parseInt(head.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
        }

        JsonNode json() {
            return JSON.readTree(body);
        }
    }

    /** A connection, whose answers all tell their length or have no body. */
    private static final class Wire implements AutoCloseable {
        private final Socket socket;
        private final InputStream in;

        Wire() throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), ROUTER.port());
            socket.setSoTimeout(60_000);
            in = socket.getInputStream();
        }

        void send(String text) throws IOException {
            send(text.getBytes(StandardCharsets.UTF_8));
        }

        void send(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
        }

        Reply reply() throws IOException {
            return reply(in);
        }

        static Reply reply(InputStream in) throws IOException {
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int next = in.read();
                assertThat(next).as("in the head: %s", head).isNotNegative();
                head.append((char) next);
            }
            int length = head.toString()
                    .lines()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
                    .mapToInt(line -> Integer.parseInt(
                            line.substring(line.indexOf(':') + 1).strip()))
                    .findFirst()
                    .orElse(0);
            return new Reply(head.toString(), new String(in.readNBytes(length), StandardCharsets.UTF_8));
        }

        boolean isAtEnd() throws IOException {
            return in.read() < 0;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
