package io.eldr.admin.users;

import io.eldr.service.access.Role;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A built-in user.
 *
 * @param name 1 to 64 letters, digits, {@code . _ - @}
 * @param role viewer, operator or admin
 * @param hash of the password, by bcrypt
 */
record User(String name, Role role, String hash) {
    /** The roles that a person can have. */
    static final Set<Role> ROLES = Set.of(Role.VIEWER, Role.OPERATOR, Role.ADMIN);

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@-]{1,64}");
    private static final Pattern BCRYPT = Pattern.compile("\\$2[aby]\\$\\d\\d\\$[./A-Za-z0-9]{53}");

    User {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a name must be 1 to 64 letters, digits or any of . _ @ -");
        }
        if (!ROLES.contains(role)) {
            throw new IllegalArgumentException("a role must be viewer, operator or admin");
        }
        if (!BCRYPT.matcher(hash).matches()) {
            throw new IllegalArgumentException("a password must be given as its bcrypt hash");
        }
    }

    /** Reads {@code name role hash}. */
    static User parse(String line) {
        String[] parts = line.strip().split("\\s+", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("a user is a name, a role and a bcrypt hash");
        }
        return new User(parts[0], role(parts[1]), parts[2]);
    }

    /** @throws IllegalArgumentException if no person can have it */
    static Role role(String word) {
        return ROLES.stream()
                .filter(role -> word.equals(role.name().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("a role must be viewer, operator or admin"));
    }

    /** As it stands in the file. */
    String line() {
        return name + " " + role.name().toLowerCase(Locale.ROOT) + " " + hash;
    }

    /** Without the hash. */
    @Override
    public String toString() {
        return name + " (" + role + ")";
    }
}
