package io.eldr.service.access;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;

/** Who holds a bearer token: one of the configuration, else one of the OIDC provider where there is a provider. */
public final class Callers implements AutoCloseable {
    private final AccessTokens tokens;
    private final Optional<JwtCallers> jwts;

    Callers(AccessTokens tokens, OidcProperties oidc) {
        this.tokens = tokens;
        this.jwts = oidc.issuer().map(issuer -> JwtCallers.of(issuer, oidc));
    }

    /**
     * The caller, at once unless the provider's keys must be fetched first; or the exception that says to Spring Security
     * why there is none.
     */
    CompletableFuture<Caller> find(String token) {
        Optional<Caller> known = tokens.find(token);
        if (known.isPresent()) {
            return CompletableFuture.completedFuture(known.get());
        }
        return jwts.filter(provider -> JwtCallers.isJwt(token))
                .map(provider -> provider.find(token))
                .orElseGet(() ->
                        CompletableFuture.failedFuture(new BadOpaqueTokenException("The token is not known here")));
    }

    @Override
    public void close() {
        jwts.ifPresent(JwtCallers::close);
    }
}
