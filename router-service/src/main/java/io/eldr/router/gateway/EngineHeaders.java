package io.eldr.router.gateway;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The headers of a request to an engine. */
@Component
final class EngineHeaders {
    private static final String REQUEST_ID = "X-Request-Id";
    private static final String RANK = "X-data-parallel-rank";

    private final boolean passesAuthorization;
    private final Optional<String> authorization;

    EngineHeaders(GatewayProperties properties) {
        // With API keys of its own, the client's Authorization is meant for the gateway.
        this.passesAuthorization = properties.apiKeys().isEmpty();
        this.authorization = properties.authorizationForEngines();
    }

    /** The same for a worker of several ranks, with the one that is to take the request. */
    HttpHeaders of(Job job, String id, int rank) {
        return of(job, id).set(RANK, rank);
    }

    /** What the client sent and engines may see, with the id of this attempt. */
    HttpHeaders of(Job job, String id) {
        HttpHeaders engine = new DefaultHttpHeaders();
        PassedHeaders.toEngine(job.exchange().headers(), passesAuthorization, engine);
        engine.set(REQUEST_ID, id);
        authorization.ifPresent(value -> engine.set(HttpHeaderNames.AUTHORIZATION, value));
        engine.set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON);
        return engine;
    }
}
