package io.eldr.admin.security;

import io.eldr.admin.AdminProperties;
import io.eldr.service.access.Role;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Finds a user's role in the claims of an OIDC provider; of several the one that allows most. */
@Component
final class OidcRoles {
    private static final List<Role> MOST_FIRST = List.of(Role.ADMIN, Role.OPERATOR, Role.VIEWER);

    private final String claim;
    private final Map<String, List<String>> values;

    OidcRoles(AdminProperties properties) {
        this.claim = properties.oidc().rolesClaim();
        this.values = properties.oidc().roles();
    }

    /** Empty where the claims name no role that is known here. */
    Optional<Role> of(Map<String, Object> claims) {
        Set<String> granted = texts(find(claims));
        return MOST_FIRST.stream()
                .filter(role -> names(role).anyMatch(granted::contains))
                .findFirst();
    }

    private Stream<String> names(Role role) {
        String name = role.name().toLowerCase(Locale.ROOT);
        return values.getOrDefault(name, List.of(name)).stream();
    }

    /** A claim may have dots in its own name; else they go into objects, as in Keycloak's {@code realm_access.roles}. */
    private @Nullable Object find(Map<String, Object> claims) {
        if (claims.containsKey(claim)) {
            return claims.get(claim);
        }
        @Nullable Object value = claims;
        for (String key : claim.split("\\.", -1)) {
            value = value instanceof Map<?, ?> object ? object.get(key) : null;
        }
        return value;
    }

    private static Set<String> texts(@Nullable Object value) {
        return switch (value) {
            case null -> Set.of();
            case String text -> Set.of(text.split("\\s+", -1));
            case Collection<?> list -> list.stream().map(String::valueOf).collect(Collectors.toSet());
            default -> Set.of();
        };
    }
}
