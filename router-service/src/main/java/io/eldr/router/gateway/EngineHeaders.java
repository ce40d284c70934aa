package io.eldr.router.gateway;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.Optional;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;

/** The headers of a request to an engine. */
@Component
final class EngineHeaders {
    private final boolean passesAuthorization;
    private final Optional<String> authorization;

    EngineHeaders(GatewayProperties properties) {
        // With API keys of its own, the client's Authorization is meant for the gateway.
        this.passesAuthorization = properties.apiKeys().isEmpty();
        this.authorization = properties.authorizationForEngines();
    }

    /** What the client sent and engines may see, with the id of this attempt. */
    Consumer<HttpHeaders> of(Job job, String id) {
        return EngineClient.headers(
                engine -> PassedHeaders.toEngine(job.exchange().getRequest(), passesAuthorization, engine),
                id,
                authorization);
    }
}
