package io.eldr.router.direct;

import io.eldr.service.access.AccessTokens;
import io.eldr.service.access.Role;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * Who may make direct calls: who has a token of the configuration that allows it. Others, among them whoever has a JWT, which
 * takes a signature to check and may take a call for its key, are let in or refused by the framework.
 */
@Component
public final class DirectAccess {
    private static final String BEARER = "Bearer ";

    private final AccessTokens tokens;

    DirectAccess(AccessTokens tokens) {
        this.tokens = tokens;
    }

    public boolean has(Role role, HttpHeaders headers) {
        List<String> authorization = headers.getAll(HttpHeaderNames.AUTHORIZATION);
        return authorization.size() == 1
                && authorization.getFirst().startsWith(BEARER)
                && tokens.find(authorization.getFirst().substring(BEARER.length()))
                        .filter(caller -> caller.has(role))
                        .isPresent();
    }
}
