package io.eldr.service.access;

import io.eldr.core.signature.InvalidInputException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a call.
 *
 * @param name the name of the token that came with the call
 * @param roles every role the token has, those included by its own role too
 * @param service whether the token belongs to a service that may act for users
 * @param actingUser the user a service acts for
 */
public record Caller(String name, Set<Role> roles, boolean service, Optional<String> actingUser) {

    /** The header in which a service names the user it acts for. Without a service's token it means nothing. */
    public static final String ACTING_USER_HEADER = "X-Eldr-Acting-User";

    private static final int MAX_USER_LENGTH = 128;

    public Caller {
        roles = Set.copyOf(roles);
        if (actingUser.isPresent() && !service) {
            throw new IllegalArgumentException("Only a service acts for a user");
        }
    }

    public boolean has(Role role) {
        return roles.contains(role);
    }

    /** The name an audit row carries: the acting user where there is one, else the token's name. */
    public String actor() {
        return actingUser.map(user -> user + " (" + name + ")").orElse(name);
    }

    /**
     * This caller with the user from the header {@value #ACTING_USER_HEADER}. The header of a caller that is no service
     * is ignored.
     *
     * @param header the header's value, null or blank if it was not sent
     * @throws InvalidInputException if a service sends more than 128 characters or control characters
     */
    public Caller actingFor(@Nullable String header) {
        if (!service || header == null || header.isBlank()) {
            return this;
        }
        String user = header.strip();
        if (user.length() > MAX_USER_LENGTH || user.chars().anyMatch(Character::isISOControl)) {
            throw new InvalidInputException(
                    ACTING_USER_HEADER, "must be at most 128 characters without control characters");
        }
        return new Caller(name, roles, true, Optional.of(user));
    }
}
