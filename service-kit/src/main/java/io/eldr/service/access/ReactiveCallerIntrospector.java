package io.eldr.service.access;

import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.security.oauth2.server.resource.introspection.ReactiveOpaqueTokenIntrospector;
import reactor.core.publisher.Mono;

/** Looks a bearer token up among the configured ones, for services on WebFlux. */
public final class ReactiveCallerIntrospector implements ReactiveOpaqueTokenIntrospector {

    private final AccessTokens tokens;

    public ReactiveCallerIntrospector(AccessTokens tokens) {
        this.tokens = tokens;
    }

    @Override
    public Mono<OAuth2AuthenticatedPrincipal> introspect(String token) {
        return Mono.justOrEmpty(tokens.find(token))
                .<OAuth2AuthenticatedPrincipal>map(CallerPrincipal::new)
                .switchIfEmpty(Mono.error(() -> new BadOpaqueTokenException("The token is not known here")));
    }
}
