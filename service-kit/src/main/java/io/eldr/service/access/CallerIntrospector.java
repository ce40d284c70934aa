package io.eldr.service.access;

import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;

/** Looks a bearer token up among the configured ones, for services on the Servlet API. */
public final class CallerIntrospector implements OpaqueTokenIntrospector {

    private final AccessTokens tokens;

    public CallerIntrospector(AccessTokens tokens) {
        this.tokens = tokens;
    }

    @Override
    public OAuth2AuthenticatedPrincipal introspect(String token) {
        return tokens.find(token)
                .map(CallerPrincipal::new)
                .orElseThrow(() -> new BadOpaqueTokenException("The token is not known here"));
    }
}
