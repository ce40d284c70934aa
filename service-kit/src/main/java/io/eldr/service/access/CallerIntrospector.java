package io.eldr.service.access;

import java.util.concurrent.CompletionException;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;

/** Finds out who holds a bearer token, for services on the Servlet API. */
public final class CallerIntrospector implements OpaqueTokenIntrospector {

    private final Callers callers;

    public CallerIntrospector(Callers callers) {
        this.callers = callers;
    }

    @Override
    public OAuth2AuthenticatedPrincipal introspect(String token) {
        try {
            return new CallerPrincipal(callers.find(token).join());
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException refusal ? refusal : e;
        }
    }
}
