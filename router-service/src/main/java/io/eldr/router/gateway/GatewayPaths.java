package io.eldr.router.gateway;

import io.eldr.router.pool.Pool;
import io.eldr.router.tracing.RequestTraces;
import io.eldr.service.access.TokenDigest;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** OpenAI's API as far as it concerns generating text: which requests are the gateway's, and who serves them. */
@Component
final class GatewayPaths {
    private static final Logger log = LoggerFactory.getLogger(GatewayPaths.class);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String BEARER = "Bearer ";

    private final Models models;
    private final Handoff handoff;
    private final ClientAnswer answers;
    private final EngineClient engines;
    private final RequestTraces traces;
    private final List<TokenDigest> keys;
    private final int maxBody;

    GatewayPaths(
            Models models,
            Handoff handoff,
            ClientAnswer answers,
            EngineClient engines,
            RequestTraces traces,
            GatewayProperties properties) {
        this.models = models;
        this.handoff = handoff;
        this.answers = answers;
        this.engines = engines;
        this.traces = traces;
        this.keys = properties.apiKeys().stream()
                .map(GatewayProperties.ApiKey::digest)
                .toList();
        this.maxBody = Math.toIntExact(properties.maxBody().toBytes());
    }

    /** A path, and the one method it has. */
    enum Path {
        CHAT("/v1/chat/completions", "POST"),
        COMPLETIONS("/v1/completions", "POST"),
        MODELS("/v1/models", "GET");

        private final String text;
        private final String method;

        Path(String text, String method) {
            this.text = text;
            this.method = method;
        }
    }

    /** The gateway's path of a request, if it has one. */
    Optional<Path> find(HttpRequest request) {
        String uri = request.uri();
        int query = uri.indexOf('?');
        String path = query < 0 ? uri : uri.substring(0, query);
        for (Path known : Path.values()) {
            if (known.text.equals(path)) {
                return Optional.of(known);
            }
        }
        return Optional.empty();
    }

    int maxBody() {
        return maxBody;
    }

    /** Begins an exchange, whose answer is written from the given place in the connection's pipeline. */
    ClientExchange open(
            Path path, ChannelHandlerContext client, HttpRequest request, Consumer<ClientExchange> onAnswered) {
        return new ClientExchange(
                client,
                request,
                engines.on(client.channel()),
                traces.begin(request.method().name(), path.text, request.headers()),
                onAnswered);
    }

    /** Why a request is not served, whatever its body says. */
    Optional<GatewayException> refusal(Path path, HttpRequest request) {
        if (!request.method().name().equals(path.method)) {
            return Optional.of(new GatewayException(
                    GatewayException.Kind.METHOD_NOT_ALLOWED, path.text + " takes " + path.method + " only."));
        }
        return mayEnter(request)
                ? Optional.empty()
                : Optional.of(new GatewayException(
                        GatewayException.Kind.UNAUTHORIZED, "An API key of this gateway is needed."));
    }

    private boolean mayEnter(HttpRequest request) {
        if (keys.isEmpty()) {
            return true;
        }
        Optional<TokenDigest> given = Optional.ofNullable(request.headers().get(HttpHeaderNames.AUTHORIZATION))
                .filter(header -> header.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .map(header -> TokenDigest.of(header.substring(BEARER.length()).strip()));
        return given.isPresent() && keys.stream().anyMatch(given.get()::matches);
    }

    GatewayException tooLarge() {
        return new GatewayException(
                GatewayException.Kind.BODY_TOO_LARGE, "The body is larger than " + maxBody + " bytes.");
    }

    void refuse(ClientExchange exchange, GatewayException refusal) {
        answers.refuse(exchange, refusal);
    }

    /** Serves a request whose body is there. */
    void serve(ClientExchange exchange, Path path, RequestBody body) {
        long startedAt = System.nanoTime();
        try {
            if (body.refusal().isPresent()) {
                throw body.refusal().get();
            }
            switch (path) {
                case MODELS -> answers.json(exchange, list());
                case CHAT -> complete(exchange, Api.CHAT, body.toBytes(), startedAt);
                case COMPLETIONS -> complete(exchange, Api.COMPLETION, body.toBytes(), startedAt);
            }
        } catch (GatewayException refusal) {
            answers.refuse(exchange, refusal);
        } catch (RuntimeException fault) {
            log.error("A request failed in the gateway", fault);
            answers.refuse(exchange, GatewayException.internal());
        }
    }

    private void complete(ClientExchange exchange, Api api, byte[] body, long startedAt) {
        CompletionRequest request = CompletionRequest.parse(api, body);
        Models.Served served = models.serving(request.model());
        request.requireServed(served.dialect());
        handoff.serve(new Job(exchange, request, served, startedAt));
    }

    private byte[] list() {
        List<Map<String, Object>> data = new ArrayList<>();
        models.names().forEach((name, pool) -> data.add(model(name, pool)));
        return JSON.writeValueAsBytes(Map.of("object", "list", "data", data));
    }

    private static Map<String, Object> model(String name, Pool pool) {
        return Map.of("id", name, "object", "model", "created", 0, "owned_by", "eldr", "pool", pool.name());
    }
}
