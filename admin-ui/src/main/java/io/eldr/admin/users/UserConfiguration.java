package io.eldr.admin.users;

import io.eldr.admin.AdminProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

@Configuration(proxyBeanMethods = false)
class UserConfiguration {

    @Bean
    UserDirectory userDirectory(AdminProperties properties) {
        PasswordEncoder encoder = new BCryptPasswordEncoder();
        if (!properties.users().enabled()) {
            return new UserDirectory(Optional.empty(), encoder);
        }
        Path file = properties.users().file();
        if (!Files.exists(file)) {
            makeFirst(file, properties.users().passwords(), encoder);
        }
        return new UserDirectory(Optional.of(new UsersFile(file)), encoder);
    }

    /** To standard output and not to the log: logs are kept and shipped. */
    @SuppressWarnings("SystemOut")
    private static void makeFirst(Path file, Map<String, String> given, PasswordEncoder encoder) {
        try {
            Map<String, String> passwords = FirstUsers.write(file, given, encoder, new SecureRandom());
            if (passwords.isEmpty()) {
                return;
            }
            System.out.println("First start: these users can log in. Their passwords are shown this once; "
                    + file.toAbsolutePath() + " keeps their hashes.");
            passwords.forEach((name, password) -> System.out.println("  user " + name + "  password " + password));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "eldr.admin.users.file cannot be made: " + file
                            + "; choose a place that can be written, or put the users there",
                    e);
        }
    }
}
