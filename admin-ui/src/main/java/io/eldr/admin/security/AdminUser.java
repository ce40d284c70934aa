package io.eldr.admin.security;

import io.eldr.service.access.Role;
import java.io.Serializable;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.AuthenticatedPrincipal;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/**
 * Who is logged in.
 *
 * @param name as audit rows show it
 * @param builtIn whether the users file knows the user, who loses the session when taken out of it
 * @param expiresAt when the session ends
 */
public record AdminUser(String name, Role role, boolean builtIn, Instant expiresAt)
        implements AuthenticatedPrincipal, Serializable {

    @Override
    public String getName() {
        return name;
    }

    public boolean has(Role needed) {
        return role.withIncluded().contains(needed);
    }

    /** The role as APIs write it. */
    public String roleName() {
        return role.name().toLowerCase(Locale.ROOT);
    }

    /** As Spring Security carries it. */
    public Authentication authentication() {
        Collection<GrantedAuthority> authorities = role.withIncluded().stream()
                .<GrantedAuthority>map(included -> new SimpleGrantedAuthority(included.authority()))
                .toList();
        return UsernamePasswordAuthenticationToken.authenticated(this, null, List.copyOf(authorities));
    }
}
