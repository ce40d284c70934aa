package io.eldr.service.access;

import java.util.Collection;
import java.util.Map;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;

/** A {@link Caller} as Spring Security carries it; a controller takes it by {@code @AuthenticationPrincipal}. */
public record CallerPrincipal(Caller caller) implements OAuth2AuthenticatedPrincipal {

    @Override
    public String getName() {
        return caller.name();
    }

    @Override
    public Map<String, Object> getAttributes() {
        return Map.of("sub", caller.name());
    }

    @Override
    public Collection<? extends GrantedAuthority> getAuthorities() {
        return caller.roles().stream()
                .map(role -> new SimpleGrantedAuthority(role.authority()))
                .toList();
    }
}
