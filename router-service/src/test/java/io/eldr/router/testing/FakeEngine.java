package io.eldr.router.testing;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * An engine that does what it is told, and remembers what it was asked and who left. Routers look at its health and its
 * metrics whenever they like, so these are neither remembered nor told: it is healthy and has no metrics.
 */
public final class FakeEngine implements AutoCloseable {

    /** A request as it came. */
    public record Seen(String path, HttpHeaders headers, String body) {}

    /** What to do with a request. */
    public sealed interface Reply {}

    /** Answers at once. */
    public record Answer(int status, Map<String, String> headers, String body) implements Reply {}

    /** Sends a first event at once and the others a while after each other, and then ends or breaks off. */
    public record Events(List<String> events, Duration between, boolean breaksOff) implements Reply {}

    /** Never answers. */
    public record Hang() implements Reply {}

    /** Closes the connection without an answer. */
    public record Reset() implements Reply {}

    private final DisposableServer server;
    private final AtomicInteger left = new AtomicInteger();
    private final AtomicInteger active = new AtomicInteger();

    public final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
    private volatile Function<Seen, Reply> behaviour;

    public FakeEngine(Function<Seen, Reply> behaviour) {
        this(0, behaviour);
    }

    public FakeEngine(int port, Function<Seen, Reply> behaviour) {
        this.behaviour = behaviour;
        this.server = HttpServer.create()
                .host("127.0.0.1")
                .port(port)
                .httpRequestDecoder(spec -> spec.maxInitialLineLength(8_192))
                .handle(this::handle)
                .bindNow();
    }

    public static Answer json(int status, String body) {
        return new Answer(status, Map.of("Content-Type", "application/json", "X-Engine", "fake"), body);
    }

    /** So many tokens as vLLM streams them. */
    public static Events tokens(int count, Duration between) {
        return new Events(
                java.util.stream.Stream.concat(
                                java.util.stream.IntStream.range(0, count)
                                        .mapToObj(i -> "data: {\"choices\":[{\"text\":\" t" + i + "\"}]}\n\n"),
                                java.util.stream.Stream.of("data: [DONE]\n\n"))
                        .toList(),
                between,
                false);
    }

    public void behave(Function<Seen, Reply> changed) {
        behaviour = changed;
    }

    public String url() {
        return "http://127.0.0.1:" + port();
    }

    public int port() {
        return server.port();
    }

    /** How many requests' clients left before the answer was whole. */
    public int left() {
        return left.get();
    }

    /** How many requests are being answered. */
    public int active() {
        return active.get();
    }

    private Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
        switch (request.uri()) {
            case "/health" -> {
                return response.status(200).send();
            }
            case "/metrics" -> {
                return response.sendNotFound();
            }
            default -> {}
        }
        active.incrementAndGet();
        return request.receive()
                .aggregate()
                .asString()
                .defaultIfEmpty("")
                .map(body -> new Seen(request.uri(), request.requestHeaders(), body))
                .doOnNext(seen::add)
                .flatMap(asked -> Mono.from(reply(behaviour.apply(asked), request, response)))
                .doOnCancel(left::incrementAndGet)
                .doFinally(signal -> active.decrementAndGet());
    }

    private static Publisher<Void> reply(Reply reply, HttpServerRequest request, HttpServerResponse response) {
        return switch (reply) {
            case Answer(int status, Map<String, String> headers, String body) -> {
                headers.forEach(response::addHeader);
                yield response.status(status)
                        .sendByteArray(Mono.just(body.getBytes(StandardCharsets.UTF_8)))
                        .then();
            }
            case Events(List<String> events, Duration between, boolean breaksOff) -> {
                Flux<String> paced = between.isZero()
                        ? Flux.fromIterable(events)
                        : Flux.fromIterable(events)
                                .take(1)
                                .concatWith(Flux.fromIterable(events)
                                        .skip(1)
                                        .concatMap(event -> Mono.just(event).delayElement(between)));
                yield response.status(200)
                        .header("Content-Type", "text/event-stream; charset=utf-8")
                        .send(
                                paced.map(event -> Unpooled.copiedBuffer(event, StandardCharsets.UTF_8))
                                        .concatWith(breaksOff ? breakOff(request) : Mono.empty()),
                                buffer -> true)
                        .then();
            }
            case Hang() -> Mono.never();
            case Reset() -> FakeEngine.<Void>breakOff(request);
        };
    }

    private static <T> Mono<T> breakOff(HttpServerRequest request) {
        return Mono.defer(() -> {
            request.withConnection(connection -> connection.dispose());
            return Mono.<T>error(new IllegalStateException("broken off"));
        });
    }

    @Override
    public void close() {
        server.disposeNow(Duration.ofSeconds(30));
    }
}
