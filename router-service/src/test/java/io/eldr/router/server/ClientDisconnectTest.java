package io.eldr.router.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

/**
 * The reason for this server: a handler that has not written a byte yet learns at once that its client is gone, on the
 * event loop's native transport and on NIO alike. See docs/adr/0003-router-on-reactor-netty.md.
 */
class ClientDisconnectTest {

    enum Transport {
        NATIVE,
        NIO
    }

    /** Without load it takes milliseconds; the handler would answer after minutes. */
    private static final int LONGEST_SECONDS = 30;

    private static final BlockingQueue<String> STARTED = new LinkedBlockingQueue<>();
    private static final BlockingQueue<String> CANCELLED = new LinkedBlockingQueue<>();

    private static DisposableServer nativeTransport;
    private static DisposableServer nio;

    @BeforeAll
    static void start() {
        HttpHandler handler = RouterFunctions.toHttpHandler(RouterFunctions.route()
                .GET("/wait", request -> answerMuchLater(request.path()))
                .POST("/wait", ClientDisconnectTest::readThenAnswerMuchLater)
                .build());
        ReactorHttpHandlerAdapter adapter = new ReactorHttpHandlerAdapter(handler);
        HttpServer server = HttpServer.create().host("127.0.0.1").port(0).handle(adapter);
        nativeTransport = server.bindNow();
        nio = server.runOn(LoopResources.create("nio", 1, true), false).bindNow();
    }

    @AfterAll
    static void stop() {
        nativeTransport.disposeNow(Duration.ofSeconds(LONGEST_SECONDS));
        nio.disposeNow(Duration.ofSeconds(LONGEST_SECONDS));
    }

    @BeforeEach
    void forget() {
        STARTED.clear();
        CANCELLED.clear();
    }

    @ParameterizedTest
    @EnumSource
    void aHandlerThatHasWrittenNothingSeesItsClientClose(Transport transport) throws Exception {
        Socket socket = send(transport, "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n");
        requireWaiting();
        socket.close();
        assertThat(CANCELLED.poll(LONGEST_SECONDS, TimeUnit.SECONDS)).isNotNull();
    }

    @ParameterizedTest
    @EnumSource
    void aHandlerThatHasReadItsBodySeesItsClientClose(Transport transport) throws Exception {
        String body = "x".repeat(100_000);
        Socket socket = send(
                transport, "POST /wait HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
        requireWaiting();
        socket.close();
        assertThat(CANCELLED.poll(LONGEST_SECONDS, TimeUnit.SECONDS)).isNotNull();
    }

    @ParameterizedTest
    @EnumSource
    void aHandlerThatHasWrittenNothingSeesItsClientReset(Transport transport) throws Exception {
        Socket socket = send(transport, "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n");
        requireWaiting();
        socket.setSoLinger(true, 0);
        socket.close();
        assertThat(CANCELLED.poll(LONGEST_SECONDS, TimeUnit.SECONDS)).isNotNull();
    }

    private static void requireWaiting() throws InterruptedException {
        assertThat(STARTED.poll(LONGEST_SECONDS, TimeUnit.SECONDS)).isNotNull();
        assertThat(CANCELLED).isEmpty();
    }

    private static Mono<ServerResponse> readThenAnswerMuchLater(ServerRequest request) {
        return request.bodyToMono(String.class).flatMap(body -> answerMuchLater(request.path()));
    }

    private static Mono<ServerResponse> answerMuchLater(String path) {
        return Mono.delay(Duration.ofMinutes(5))
                .doOnSubscribe(subscription -> STARTED.add(path))
                .doOnCancel(() -> CANCELLED.add(path))
                .flatMap(tick ->
                        ServerResponse.ok().contentType(MediaType.TEXT_PLAIN).bodyValue("late"));
    }

    private static Socket send(Transport transport, String request) throws IOException {
        Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), (transport == Transport.NATIVE ? nativeTransport : nio).port());
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        return socket;
    }
}
