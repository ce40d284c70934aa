package io.eldr.service.access;

import io.eldr.core.signature.InvalidInputException;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a call.
 *
 * @param name the name of the token that came with the call, or of the user it is for
 * @param roles every role the token has, those included by its own role too
 * @param service whether the token belongs to a service that may act for users
 * @param actingUser the user a service acts for
 */
public record Caller(String name, Set<Role> roles, boolean service, Optional<String> actingUser) {

    /** The header in which a service names the user it acts for. Without a service's token it means nothing. */
    public static final String ACTING_USER_HEADER = "X-Eldr-Acting-User";

    /**
     * The header in which a service names the role of that user, {@code viewer}, {@code operator} or {@code admin}. The call
     * may do what both the token and this role allow.
     */
    public static final String ACTING_ROLE_HEADER = "X-Eldr-Acting-Role";

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
     * This caller with the user from the header {@value #ACTING_USER_HEADER} and no more than the role from the header
     * {@value #ACTING_ROLE_HEADER}. The headers of a caller that is no service are ignored.
     *
     * @param userHeader the first header's value, null or blank if it was not sent
     * @param roleHeader the second header's value, null or blank if it was not sent
     * @throws InvalidInputException if a service sends more than 128 characters or control characters, or a role that no
     *     user has
     */
    public Caller actingFor(@Nullable String userHeader, @Nullable String roleHeader) {
        if (!service) {
            return this;
        }
        Optional<String> user =
                Optional.ofNullable(userHeader).map(String::strip).filter(text -> !text.isEmpty());
        user.ifPresent(Caller::checkUser);
        Set<Role> allowed = Optional.ofNullable(roleHeader)
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .map(Caller::allowedTo)
                .orElse(roles);
        return new Caller(
                name, roles.stream().filter(allowed::contains).collect(Collectors.toUnmodifiableSet()), true, user);
    }

    /** Whether audit rows and logs can show a user's name. */
    static boolean isUser(String name) {
        return !name.isBlank()
                && name.length() <= MAX_USER_LENGTH
                && name.chars().noneMatch(Character::isISOControl);
    }

    private static void checkUser(String user) {
        if (!isUser(user)) {
            throw new InvalidInputException(
                    ACTING_USER_HEADER, "must be at most 128 characters without control characters");
        }
    }

    private static Set<Role> allowedTo(String word) {
        return switch (word) {
            case "viewer" -> Role.VIEWER.withIncluded();
            case "operator" -> Role.OPERATOR.withIncluded();
            case "admin" -> Role.ADMIN.withIncluded();
            default -> throw new InvalidInputException(ACTING_ROLE_HEADER, "must be viewer, operator or admin");
        };
    }
}
