package io.eldr.router.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.router.testing.RouterCalls;
import io.eldr.router.testing.TestRouter;
import io.eldr.service.access.TokenDigest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is let in, and who is let go. */
class DoorTest {
    private static final String REQUEST = "{\"model\":\"nope\",\"prompt\":\"x\"}";
    private static TestRouter router;

    @BeforeAll
    static void start() {
        router = TestRouter.start(
                TestRouter.NO_DATABASE,
                "server.netty.idle-timeout=2s",
                "eldr.gateway.api-keys[0].name=team-a",
                "eldr.gateway.api-keys[0].sha256=" + TokenDigest.of("key-a").hex());
    }

    @AfterAll
    static void stop() {
        router.close();
    }

    @Test
    void withoutAKeyOfItsNothingIsServed() {
        for (Optional<String> token : java.util.List.of(
                Optional.<String>empty(), Optional.of("key-b"), Optional.of(""), Optional.of(TestRouter.OPERATOR))) {
            TestRouter.Answer answer = complete(token);
            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.json().path("error").path("code").asString()).isEqualTo("invalid_api_key");
            assertThat(send(router.request("/v1/models", token).GET()).status()).isEqualTo(401);
        }
    }

    @Test
    void withOneItIsSaidWhatIsMissingInstead() {
        TestRouter.Answer answer = complete(Optional.of("key-a"));

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.json().path("error").path("code").asString()).isEqualTo("model_not_found");
        assertThat(send(router.request("/v1/models", Optional.of("key-a")).GET())
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/completions", "/v1/route"})
    void aClientThatSendsAHeadAndNotItsBodyIsLetGo(String path) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), router.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write(("POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                                    + "Authorization: Bearer " + TestRouter.CLIENT + "\r\nContent-Length: 100\r\n\r\n{")
                            .getBytes(StandardCharsets.US_ASCII));

            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    private static TestRouter.Answer complete(Optional<String> token) {
        return send(router.request("/v1/completions", token)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(REQUEST)));
    }

    /** Over a connection of its own: one that was kept may be let go just then. */
    private static TestRouter.Answer send(HttpRequest.Builder request) {
        try (RouterCalls client = new RouterCalls() {
            @Override
            public int port() {
                return router.port();
            }
        }) {
            return client.send(request);
        }
    }
}
