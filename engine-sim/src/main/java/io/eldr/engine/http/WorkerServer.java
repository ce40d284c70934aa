package io.eldr.engine.http;

import io.eldr.engine.fault.FaultReader;
import io.eldr.engine.fault.Faults;
import io.eldr.engine.metrics.MetricsPage;
import io.eldr.engine.recording.Recordings;
import io.eldr.engine.request.GenerationRequest;
import io.eldr.engine.request.KvTransfer;
import io.eldr.engine.request.RequestReader;
import io.eldr.engine.request.RequestRefusedException;
import io.eldr.engine.worker.Engine;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.LoopResources;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** One worker's listener: vLLM's paths, and below {@code /sim} what controls it. */
public final class WorkerServer {
    private static final String NOT_FOUND = "{\"detail\":\"Not Found\"}";
    private static final String WRONG_METHOD = "{\"detail\":\"Method Not Allowed\"}";
    private static final int MAX_BODY_BYTES = 64 << 20;

    private final ServerSettings settings;
    private final Engine engine;
    private final Faults faults;
    private final WorkerControl control;
    private final JsonMapper json;
    private final GenerateHandler generate;
    private final FaultReader faultReader;
    private final MetricsPage page;
    private final DisposableServer server;

    /**
     * Binds at once.
     *
     * @param connections where the connections are kept that it accepts
     * @param now when this life of the worker began
     */
    public WorkerServer(
            ServerSettings settings,
            Engine engine,
            Recordings recordings,
            Faults faults,
            WorkerControl control,
            Connections connections,
            LoopResources loops,
            Instant now) {
        this.settings = settings;
        this.engine = engine;
        this.faults = faults;
        this.control = control;
        this.json = JsonMapper.shared();
        this.generate = new GenerateHandler(
                engine, new RequestReader(json, settings.limits(), recordings), settings.signature(), faults);
        this.faultReader = new FaultReader(json);
        this.page = new MetricsPage(settings.limits().model(), now);
        this.server = HttpServer.create()
                .host(settings.host())
                .port(settings.port())
                .runOn(loops)
                .option(ChannelOption.SO_BACKLOG, 4_096)
                .idleTimeout(settings.keepAlive())
                .doOnConnection(connections::remember)
                .handle(this::handle)
                .bindNow();
    }

    public int port() {
        return server.port();
    }

    /** Accepts no connection any more; those that are open go on. */
    public void stopListening() {
        // The close itself fails where the channel is closed already; that it is closed is what counts.
        ChannelFuture _ = server.channel().close();
        server.channel().closeFuture().syncUninterruptibly();
    }

    private Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
        String path = request.fullPath();
        return switch (path) {
            case "/health", "/ping" -> onGet(request, response, this::health);
            case "/v1/models" ->
                onGet(
                        request,
                        response,
                        to -> JsonReplies.send(
                                to,
                                200,
                                Answers.bytes(Answers.models(
                                        settings.limits().models(),
                                        settings.limits().maxModelLength()))));
            case "/version" ->
                onGet(request, response, to -> JsonReplies.send(to, 200, ascii("{\"version\":\"0.14.0\"}")));
            case "/metrics" -> onGet(request, response, this::metrics);
            case "/sim/state" ->
                onGet(request, response, to -> JsonReplies.send(to, 200, Answers.bytes(control.state())));
            case "/v1/completions" ->
                onPost(request, response, body -> generate(GenerationRequest.Kind.COMPLETION, body, request, response));
            case "/v1/chat/completions" ->
                onPost(request, response, body -> generate(GenerationRequest.Kind.CHAT, body, request, response));
            case "/v1/kv_transfer/release" -> onPost(request, response, body -> release(body, response));
            case "/sim/finish" -> onPost(request, response, _ -> finish(response));
            case "/sim/faults" -> onPost(request, response, body -> fault(body, response));
            default -> JsonReplies.send(response, 404, ascii(NOT_FOUND));
        };
    }

    private static Publisher<Void> onGet(
            HttpServerRequest request,
            HttpServerResponse response,
            Function<HttpServerResponse, Publisher<Void>> answer) {
        return request.method().name().equals("GET")
                ? answer.apply(response)
                : JsonReplies.send(response, 405, ascii(WRONG_METHOD));
    }

    private static Publisher<Void> onPost(
            HttpServerRequest request, HttpServerResponse response, Function<byte[], Publisher<Void>> answer) {
        if (!request.method().name().equals("POST")) {
            return JsonReplies.send(response, 405, ascii(WRONG_METHOD));
        }
        String length = request.requestHeaders().get("content-length", "0");
        if (length.length() > 9 || Integer.parseInt(length) > MAX_BODY_BYTES) {
            return JsonReplies.refuse(response, RequestRefusedException.of(413, "the body is too large"));
        }
        return request.receive()
                .aggregate()
                .asByteArray()
                .switchIfEmpty(Mono.fromSupplier(() -> new byte[0]))
                .flatMap(body -> {
                    try {
                        return Mono.from(answer.apply(body));
                    } catch (RequestRefusedException refusal) {
                        return JsonReplies.refuse(response, refusal);
                    }
                });
    }

    private Publisher<Void> generate(
            GenerationRequest.Kind kind, byte[] body, HttpServerRequest request, HttpServerResponse response) {
        RequestReader.Headers headers = new RequestReader.Headers(
                Optional.ofNullable(request.requestHeaders().get("X-Request-Id"))
                        .orElseGet(() -> UUID.randomUUID().toString()),
                Optional.ofNullable(request.requestHeaders().get("X-data-parallel-rank")));
        return generate.answer(kind, body, headers, response);
    }

    private Publisher<Void> health(HttpServerResponse response) {
        return response.status(faults.isReady() ? 200 : 503)
                .header("content-length", "0")
                .send();
    }

    private Publisher<Void> metrics(HttpServerResponse response) {
        byte[] body = page.of(engine.metrics(), engine.gauges()).getBytes(StandardCharsets.UTF_8);
        return response.status(200)
                .header("content-type", "text/plain; version=0.0.4; charset=utf-8")
                .header("content-length", Integer.toString(body.length))
                .sendByteArray(Mono.just(body));
    }

    private Publisher<Void> release(byte[] body, HttpServerResponse response) {
        JsonNode params;
        try {
            params = json.readTree(body);
        } catch (JacksonException e) {
            throw RequestRefusedException.badRequest("body", "the body is not JSON: " + e.getOriginalMessage());
        }
        if (!params.path("do_remote_prefill").asBoolean(false)) {
            throw RequestRefusedException.badRequest("do_remote_prefill", "Expected a pending prefill KV transfer");
        }
        engine.release(new KvTransfer.Consume(
                params.path("remote_engine_id").asString(""),
                params.path("remote_request_id").asString(""),
                OptionalInt.empty()));
        return JsonReplies.send(
                response,
                200,
                Answers.bytes(JsonNodeFactory.instance.objectNode().put("released", true)));
    }

    private Publisher<Void> finish(HttpServerResponse response) {
        control.finishHeld();
        return JsonReplies.send(response, 200, Answers.bytes(control.state()));
    }

    private Publisher<Void> fault(byte[] body, HttpServerResponse response) {
        control.apply(faultReader.read(body));
        return JsonReplies.send(response, 200, Answers.bytes(control.state()));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
