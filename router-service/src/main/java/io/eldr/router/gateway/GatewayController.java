package io.eldr.router.gateway;

import io.eldr.router.pool.Pool;
import io.eldr.service.access.TokenDigest;
import io.swagger.v3.oas.annotations.Hidden;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.http.server.HttpServerResponse;

/** OpenAI's API as far as it concerns generating text; its own description says more than ours could. */
@Hidden
@RestController
class GatewayController {
    private static final Logger log = LoggerFactory.getLogger(GatewayController.class);
    private static final String BEARER = "Bearer ";

    private final Models models;
    private final Handoff handoff;
    private final ClientAnswer answers;
    private final GatewayMetrics metrics;
    private final List<TokenDigest> keys;
    private final int maxBody;

    GatewayController(
            Models models,
            Handoff handoff,
            ClientAnswer answers,
            GatewayMetrics metrics,
            GatewayProperties properties) {
        this.models = models;
        this.handoff = handoff;
        this.answers = answers;
        this.metrics = metrics;
        this.keys = properties.apiKeys().stream()
                .map(GatewayProperties.ApiKey::digest)
                .toList();
        this.maxBody = Math.toIntExact(properties.maxBody().toBytes());
    }

    @PostMapping("/v1/chat/completions")
    Mono<Void> chat(ServerWebExchange exchange) {
        return complete(exchange, Api.CHAT);
    }

    @PostMapping("/v1/completions")
    Mono<Void> completion(ServerWebExchange exchange) {
        return complete(exchange, Api.COMPLETION);
    }

    @GetMapping("/v1/models")
    Mono<Map<String, Object>> models(ServerWebExchange exchange) {
        if (!mayEnter(exchange.getRequest())) {
            return OpenAiErrors.write(exchange.getResponse(), unauthorized()).then(Mono.empty());
        }
        List<Map<String, Object>> data = new ArrayList<>();
        models.names().forEach((name, pool) -> data.add(model(name, pool)));
        return Mono.just(Map.of("object", "list", "data", data));
    }

    private static Map<String, Object> model(String name, Pool pool) {
        return Map.of("id", name, "object", "model", "created", 0, "owned_by", "eldr", "pool", pool.name());
    }

    private Mono<Void> complete(ServerWebExchange exchange, Api api) {
        long startedAt = System.nanoTime();
        return Mono.defer(() -> {
                    if (!mayEnter(exchange.getRequest())) {
                        throw unauthorized();
                    }
                    return body(exchange.getRequest());
                })
                .flatMap(body -> {
                    CompletionRequest request = CompletionRequest.parse(api, body);
                    Models.Served served = models.serving(request.model());
                    request.requireServed(served.dialect());
                    return serve(new Job(exchange, request, served, startedAt));
                })
                .onErrorResume(GatewayException.class, failure -> OpenAiErrors.write(exchange.getResponse(), failure));
    }

    private Mono<Void> serve(Job job) {
        return handoff.serve(job)
                .doOnSubscribe(subscription -> metrics.began())
                .onErrorResume(
                        failure -> !(failure instanceof GatewayException)
                                && !job.exchange().getResponse().isCommitted(),
                        failure -> {
                            log.error("A request failed in the gateway", failure);
                            return Mono.error(new GatewayException(
                                    GatewayException.Kind.INTERNAL, "The gateway failed; its log says why."));
                        })
                .doOnError(GatewayException.class, failure -> answers.end(job, GatewayMetrics.End.GATEWAY_ERROR))
                .doOnCancel(() -> answers.end(job, GatewayMetrics.End.ABORTED))
                .onErrorResume(failure -> job.exchange().getResponse().isCommitted(), failure -> {
                    breakOff(job.exchange().getResponse());
                    return Mono.empty();
                });
    }

    /** Closes the client's connection: an answer that is not whole must not look as if it were. */
    private static void breakOff(ServerHttpResponse response) {
        HttpServerResponse server = ServerHttpResponseDecorator.getNativeResponse(response);
        server.withConnection(Connection::dispose);
    }

    private Mono<byte[]> body(ServerHttpRequest request) {
        if (request.getHeaders().getContentLength() > maxBody) {
            throw tooLarge();
        }
        return DataBufferUtils.join(request.getBody(), maxBody)
                .map(GatewayController::bytes)
                .switchIfEmpty(Mono.fromSupplier(() -> new byte[0]))
                .onErrorMap(DataBufferLimitException.class, limit -> tooLarge());
    }

    private static byte[] bytes(DataBuffer buffer) {
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        return bytes;
    }

    private boolean mayEnter(ServerHttpRequest request) {
        if (keys.isEmpty()) {
            return true;
        }
        Optional<TokenDigest> given = Optional.ofNullable(request.getHeaders().getFirst(HttpHeaders.AUTHORIZATION))
                .filter(header -> header.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .map(header -> TokenDigest.of(header.substring(BEARER.length()).strip()));
        return given.isPresent() && keys.stream().anyMatch(given.get()::matches);
    }

    private GatewayException tooLarge() {
        return new GatewayException(
                GatewayException.Kind.BODY_TOO_LARGE, "The body is larger than " + maxBody + " bytes.");
    }

    private static GatewayException unauthorized() {
        return new GatewayException(GatewayException.Kind.UNAUTHORIZED, "An API key of this gateway is needed.");
    }
}
