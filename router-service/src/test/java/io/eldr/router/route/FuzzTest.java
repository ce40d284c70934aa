package io.eldr.router.route;

import static io.eldr.router.testing.SharedRouter.ROUTER;
import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.core.signature.EldrSigForm;
import io.eldr.core.signature.RawForm;
import io.eldr.router.testing.Fixtures;
import io.eldr.router.testing.SharedRouter;
import io.eldr.router.testing.TestRouter;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests that were good until a few of their bytes were changed, over plain sockets. */
class FuzzTest {

    private static final String POOL = "fuzzed";
    private static final int REQUESTS = 20_000;
    private static final int CONNECTIONS = 16;

    /** A request may well be good and leave no decoder to go to. */
    private static final int NO_DECODER = 499;

    private static final byte[] RAW = RawForm.write(Fixtures.counts(1, 10));
    private static final String SIG = EldrSigForm.write(Fixtures.counts(2, 10));

    /** What breaks readers. */
    private static final List<String> PIECES = List.of(
            "\u0000",
            "\"",
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\\",
            "null",
            "-1",
            "1e999",
            "NaN",
            "9999999999999999999999",
            "\ud800",
            "\uffff",
            "ä",
            "%00",
            "%zz",
            "../",
            "'",
            "\r",
            "\t",
            "true",
            "{\"pool\":",
            "eldr_sig",
            "\"\":",
            "//");

    @Test
    void twentyThousandSpoiledRequestsCauseNoServerErrorAndLeaveNothingBehind() throws Exception {
        SharedRouter.servingPool(POOL, 3);
        Map<Integer, Integer> statuses = new TreeMap<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Map<Integer, Integer>>> clients = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                clients.add(threads.submit(client(i)));
            }
            for (Future<Map<Integer, Integer>> client : clients) {
                client.get().forEach((status, count) -> statuses.merge(status, count, Integer::sum));
            }
        }
        assertThat(statuses.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(REQUESTS);
        assertThat(statuses.keySet()).as("%s", statuses).allMatch(status -> status >= 200 && status < 500);
        // Neither all were refused nor none was: spoiled requests reached every depth.
        assertThat(statuses.getOrDefault(200, 0)).as("%s", statuses).isGreaterThan(REQUESTS / 50);
        assertThat(statuses.getOrDefault(400, 0)).as("%s", statuses).isGreaterThan(REQUESTS / 5);

        SharedRouter.CLOCK.advance(Duration.ofSeconds(601));
        await().until(() -> inFlight() == 0);
        assertThat(ROUTER.post("/v1/route", body(POOL, "good")).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /v1/pools/%zz/decoders HTTP/1.1",
                "GET /v1/pools/%00/decoders HTTP/1.1",
                "GET /v1/pools/a%0ab/decoders HTTP/1.1",
                "GET /v1/pools/{}/decoders HTTP/1.1",
                "nonsense"
            })
    void whatTheServerRefusesByItselfIsAProblemToo(String line) throws Exception {
        try (Connection connection = Connection.open()) {
            Reply reply = connection.exchange(
                    (line + "\r\nHost: x\r\nAuthorization: Bearer " + TestRouter.VIEWER + "\r\n\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            assertThat(reply.status()).as("%s", reply).isEqualTo(400);
            assertThat(reply.headers()).as("%s", reply).contains("content-type: application/problem+json");
            JsonNode problem = JsonMapper.shared().readTree(reply.body());
            assertThat(problem.path("type").asString()).endsWith("/invalid-input");
            assertThat(problem.path("status").asInt()).isEqualTo(400);
        }
    }

    @Test
    void aParameterWhoseNameHoldsAControlCharacterIsTheClientsFault() throws Exception {
        try (Connection connection = Connection.open()) {
            Reply reply = connection.exchange(
                    ("POST /v1/route?pool=p&prompt%01Tokens=1 HTTP/1.1\r\nHost: x\r\nAuthorization: "
                                    + "Bearer " + TestRouter.CLIENT
                                    + "\r\nContent-Type: application/octet-stream\r\nContent-Length: 2\r\n\r\nab")
                            .getBytes(StandardCharsets.UTF_8));
            assertThat(reply.status()).as("%s", reply).isEqualTo(400);
            assertThat(reply.body()).contains("/invalid-input");
        }
    }

    private static Callable<Map<Integer, Integer>> client(int number) {
        return () -> {
            RandomGenerator random = new SplittableRandom(number);
            Map<Integer, Integer> statuses = new TreeMap<>();
            Connection connection = Connection.open();
            try {
                for (int i = 0; i < REQUESTS / CONNECTIONS; i++) {
                    Reply reply = connection.exchange(spoiled(random, "fuzz-" + number + "-" + i));
                    statuses.merge(reply.isNoDecoder() ? NO_DECODER : reply.status(), 1, Integer::sum);
                    if (reply.closes()) {
                        connection.close();
                        connection = Connection.open();
                    }
                }
            } finally {
                connection.close();
            }
            return statuses;
        };
    }

    private static byte[] spoiled(RandomGenerator random, String id) {
        String token = TestRouter.CLIENT;
        String path = "/v1/route";
        String type = "application/json";
        byte[] body;
        switch (random.nextInt(5)) {
            case 0 -> {
                path += "?pool=" + POOL + "&requestId=" + id + "&promptTokens=10&leaseSeconds=30";
                type = "application/octet-stream";
                body = RAW;
            }
            case 1 -> {
                path = "/v1/reservations/router-x.0123456789abcdef/close";
                body = "{\"outcome\":\"completed\",\"decodeTokens\":5,\"tpotMs\":20.5}"
                        .getBytes(StandardCharsets.UTF_8);
            }
            case 2 ->
                body = ("{\"pool\":\"" + POOL + "\",\"requestId\":\"" + id
                                + "\",\"promptTokens\":10,\"label\":\"code\",\"candidates\":[\"decoder-0\",\"decoder-1\"],"
                                + "\"exclude\":[\"decoder-2\"],\"dryRun\":false,\"leaseSeconds\":30}")
                        .getBytes(StandardCharsets.UTF_8);
            default ->
                body = ("{\"pool\":\"" + POOL + "\",\"requestId\":\"" + id
                                + "\",\"promptTokens\":10,\"signature\":{\"eldr_sig\":\""
                                + SIG + "\"}}")
                        .getBytes(StandardCharsets.UTF_8);
        }
        int where = random.nextInt(10);
        if (where < 7) {
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                body = spoil(body, random);
            }
        }
        // Never a line break, which would end the header, nor a length that lies, which would only wait.
        if (where == 7) {
            path = word(path, random);
        } else if (where == 8) {
            type = word(type, random);
        } else if (where == 9) {
            token = word(token, random);
        }
        String extra = random.nextInt(20) == 0
                ? "X-" + random.nextInt(1_000) + ": " + word("some value", random) + "\r\n"
                : "";
        String head = "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + token
                + "\r\nContent-Type: " + type + "\r\n" + extra + "Content-Length: " + body.length + "\r\n\r\n";
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(head.getBytes(StandardCharsets.UTF_8));
        request.writeBytes(body);
        return request.toByteArray();
    }

    private static byte[] spoil(byte[] good, RandomGenerator random) {
        if (good.length == 0) {
            return good;
        }
        ByteArrayOutputStream bad = new ByteArrayOutputStream();
        int at = random.nextInt(good.length);
        bad.write(good, 0, at);
        switch (random.nextInt(5)) {
            case 0 -> {
                bad.write(good[at] ^ (1 << random.nextInt(8)));
                bad.write(good, at + 1, good.length - at - 1);
            }
            case 1 -> {
                int to = Math.min(good.length, at + random.nextInt(1, 20));
                bad.write(good, to, good.length - to);
            }
            case 2 -> {
                int to = Math.min(good.length, at + random.nextInt(1, 20));
                bad.write(good, at, to - at);
                bad.write(good, at, good.length - at);
            }
            case 3 -> {
                bad.writeBytes(PIECES.get(random.nextInt(PIECES.size())).getBytes(StandardCharsets.UTF_8));
                bad.write(good, at, good.length - at);
            }
            default -> {
                // Cut short.
            }
        }
        return bad.toByteArray();
    }

    /** The same for what stands in a line: without blanks, which would end it, and line breaks. */
    private static String word(String good, RandomGenerator random) {
        return new String(spoil(good.getBytes(StandardCharsets.UTF_8), random), StandardCharsets.UTF_8)
                .replaceAll("[\\r\\n\\u0000 ]", "~");
    }

    private record Reply(int status, String headers, String body) {
        boolean isNoDecoder() {
            return status == 503 && body.contains("/no-decoder\"");
        }

        boolean closes() {
            return headers.contains("connection: close");
        }
    }

    private record Connection(Socket socket, InputStream in) implements AutoCloseable {
        private static final int MAX_HEAD = 8_192;
        /** Two line breaks, as the last four bytes read. */
        private static final int HEAD_END = '\r' << 24 | '\n' << 16 | '\r' << 8 | '\n';

        static Connection open() throws IOException {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), ROUTER.port());
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(60_000);
            return new Connection(socket, new BufferedInputStream(socket.getInputStream()));
        }

        Reply exchange(byte[] request) throws IOException {
            socket.getOutputStream().write(request);
            socket.getOutputStream().flush();
            in.mark(MAX_HEAD);
            int length = 0;
            for (int seen = 0; seen != HEAD_END; length++) {
                int next = in.read();
                if (next < 0) {
                    throw new IOException("no answer to " + new String(request, StandardCharsets.UTF_8));
                }
                seen = (seen << 8) | next;
            }
            in.reset();
            String headers = new String(in.readNBytes(length), StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
            int status = Integer.parseInt(headers.substring(9, 12));
            int at = headers.indexOf("content-length: ");
            int body = at < 0
                    ? 0
                    : Integer.parseInt(headers.substring(at + 16, headers.indexOf('\r', at))
                            .strip());
            return new Reply(status, headers, new String(in.readNBytes(body), StandardCharsets.UTF_8));
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static int inFlight() {
        int sum = 0;
        for (JsonNode decoder :
                ROUTER.get("/v1/pools/" + POOL + "/decoders").json().path("decoders")) {
            sum += decoder.path("inFlight").asInt();
        }
        return sum;
    }
}
