package io.eldr.service.access;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds roles in the claims of an OIDC provider. */
public final class ClaimedRoles {
    private final String claim;
    private final Map<Role, List<String>> values;

    /**
     * @param claim the claim that holds them, a string or a list; with dots it goes into objects
     * @param values the values of the claim that stand for each role; the role's own name where it names none
     */
    public ClaimedRoles(String claim, Map<Role, List<String>> values) {
        this.claim = claim;
        this.values = Map.copyOf(values);
    }

    /** The roles that are named, without those they include; empty where none is that is known here. */
    public Set<Role> in(Map<String, Object> claims) {
        Set<String> granted = texts(find(claims));
        Set<Role> roles = EnumSet.noneOf(Role.class);
        for (Role role : Role.values()) {
            if (names(role).stream().anyMatch(granted::contains)) {
                roles.add(role);
            }
        }
        return roles;
    }

    private List<String> names(Role role) {
        return values.getOrDefault(role, List.of(role.name().toLowerCase(Locale.ROOT)));
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
