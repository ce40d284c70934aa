package io.eldr.admin.security;

import io.eldr.admin.AdminProperties;
import io.eldr.service.access.ClaimedRoles;
import io.eldr.service.access.Role;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Finds a user's role in the claims of an OIDC provider; of several the one that allows most. */
@Component
final class OidcRoles {
    private static final List<Role> MOST_FIRST = List.of(Role.ADMIN, Role.OPERATOR, Role.VIEWER);

    private final ClaimedRoles roles;

    OidcRoles(AdminProperties properties) {
        this.roles = properties.oidc().claimedRoles();
    }

    /** Empty where the claims name no role that is known here. */
    Optional<Role> of(Map<String, Object> claims) {
        return MOST_FIRST.stream().filter(roles.in(claims)::contains).findFirst();
    }
}
