package io.eldr.admin.users;

import io.eldr.service.access.Role;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.springframework.security.crypto.password.PasswordEncoder;

/** Who may log in with a password. */
public final class UserDirectory {
    private final Optional<UsersFile> file;
    private final PasswordEncoder encoder;
    /** Compared with where a user is not known, so that the time taken does not tell. */
    private final String nobody;

    UserDirectory(Optional<UsersFile> file, PasswordEncoder encoder) {
        this.file = file;
        this.encoder = encoder;
        this.nobody = PasswordCommand.hash(encoder, "nobody has this password");
    }

    /** Whether there are built-in users at all. */
    public boolean isEnabled() {
        return file.isPresent();
    }

    /** The role of the user whose name and password these are; empty for a wrong one of either. */
    public Optional<Role> check(String name, String password) {
        boolean possible = password.getBytes(StandardCharsets.UTF_8).length <= PasswordCommand.MAX_BYTES;
        Optional<User> user = file.flatMap(users -> users.find(name)).filter(_ -> possible);
        boolean right =
                encoder.matches(possible ? password : "", user.map(User::hash).orElse(nobody));
        return user.filter(_ -> right).map(User::role);
    }

    /** The role that a user who logged in earlier has now; empty if there is no such user any more. */
    public Optional<Role> roleOf(String name) {
        return file.flatMap(users -> users.find(name)).map(User::role);
    }
}
