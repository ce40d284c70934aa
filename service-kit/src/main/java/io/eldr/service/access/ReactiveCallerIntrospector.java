package io.eldr.service.access;

import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.server.resource.introspection.ReactiveOpaqueTokenIntrospector;
import reactor.core.publisher.Mono;

/** Finds out who holds a bearer token, for services on WebFlux. */
public final class ReactiveCallerIntrospector implements ReactiveOpaqueTokenIntrospector {

    private final Callers callers;

    public ReactiveCallerIntrospector(Callers callers) {
        this.callers = callers;
    }

    @Override
    public Mono<OAuth2AuthenticatedPrincipal> introspect(String token) {
        return Mono.fromFuture(() -> callers.find(token), true).map(CallerPrincipal::new);
    }
}
