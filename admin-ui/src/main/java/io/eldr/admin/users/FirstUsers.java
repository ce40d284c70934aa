package io.eldr.admin.users;

import io.eldr.service.access.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.springframework.security.crypto.password.PasswordEncoder;

/** The users of a first start: one for each role, named like it. */
final class FirstUsers {
    private static final int PASSWORD_BYTES = 15;

    private FirstUsers() {}

    /**
     * Writes the file.
     *
     * @param given passwords by user, from configuration
     * @param random where the other passwords come from; must be fit for secrets
     * @return those other passwords by user, which nothing else keeps
     */
    static Map<String, String> write(
            Path file, Map<String, String> given, PasswordEncoder encoder, RandomGenerator random) throws IOException {
        Map<String, String> generated = new LinkedHashMap<>();
        List<User> users = new ArrayList<>();
        Stream.of(Role.ADMIN, Role.OPERATOR, Role.VIEWER).forEach(role -> {
            String name = role.name().toLowerCase(Locale.ROOT);
            String password = given.containsKey(name)
                    ? given.getOrDefault(name, "")
                    : generated.computeIfAbsent(name, _ -> generate(random));
            users.add(new User(name, role, PasswordCommand.hash(encoder, password)));
        });
        UsersFile.write(file, users);
        return generated;
    }

    private static String generate(RandomGenerator random) {
        byte[] bytes = new byte[PASSWORD_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
