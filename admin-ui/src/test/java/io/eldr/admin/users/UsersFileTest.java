package io.eldr.admin.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eldr.service.access.Role;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

class UsersFileTest {
    private static final PasswordEncoder ENCODER = new BCryptPasswordEncoder(4);

    @TempDir
    private Path folder;

    @Test
    void aFirstStartMakesAUserForEachRoleWithAPasswordOfItsOwn() throws IOException {
        Path file = folder.resolve("new").resolve("users");

        Map<String, String> passwords = FirstUsers.write(file, Map.of(), ENCODER, new SecureRandom());

        assertThat(passwords).containsOnlyKeys("admin", "operator", "viewer");
        assertThat(passwords.values()).doesNotHaveDuplicates().allMatch(password -> password.length() == 20);
        UserDirectory users = directory(file);
        assertThat(users.check("admin", passwords.getOrDefault("admin", ""))).contains(Role.ADMIN);
        assertThat(users.check("operator", passwords.getOrDefault("operator", "")))
                .contains(Role.OPERATOR);
        assertThat(users.check("viewer", passwords.getOrDefault("viewer", ""))).contains(Role.VIEWER);
        assertThat(users.check("viewer", passwords.getOrDefault("admin", ""))).isEmpty();
    }

    @Test
    void aPasswordThatIsGivenIsTakenAndNotShown() throws IOException {
        Path file = folder.resolve("users");

        Map<String, String> shown =
                FirstUsers.write(file, Map.of("admin", "a password of ours"), ENCODER, new SecureRandom());

        assertThat(shown).containsOnlyKeys("operator", "viewer");
        assertThat(directory(file).check("admin", "a password of ours")).contains(Role.ADMIN);
    }

    @Test
    void keepsNoPasswordAndLetsNobodyElseReadTheFile() throws IOException {
        Path file = folder.resolve("users");

        Map<String, String> passwords = FirstUsers.write(file, Map.of(), ENCODER, new SecureRandom());

        assertThat(Files.readString(file)).doesNotContain(passwords.values());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void followsChangesOfTheFile() throws IOException {
        Path file = write("ada admin " + ENCODER.encode("a long password") + "\n");
        UserDirectory users = directory(file);
        assertThat(users.roleOf("ada")).contains(Role.ADMIN);

        write("# nobody is left\n");
        assertThat(users.roleOf("ada")).isEmpty();

        write("ada viewer " + ENCODER.encode("another password") + "\n");
        assertThat(users.check("ada", "another password")).contains(Role.VIEWER);
    }

    @Test
    void keepsTheUsersWhereAChangeCannotBeRead() throws IOException {
        Path file = write("ada admin " + ENCODER.encode("a long password") + "\n");
        UserDirectory users = directory(file);

        write("ada superuser " + ENCODER.encode("a long password") + "\n");

        assertThat(users.roleOf("ada")).contains(Role.ADMIN);
    }

    @ParameterizedTest
    @CsvSource({
        "ada admin, line 1: a user is a name",
        "ada client HASH, line 1: a role must be viewer",
        "ada admin secret, line 1: a password must be given as its bcrypt hash",
        "<b> admin HASH, line 1: a name must be",
    })
    void namesTheLineThatIsWrong(String line, String message) throws IOException {
        Path file = write(line.replace("HASH", ENCODER.encode("a long password")) + "\n");

        assertThatThrownBy(() -> new UsersFile(file)).hasMessageContaining(message);
    }

    @Test
    void refusesAPasswordThatIsLongerThanBcryptReads() throws IOException {
        Path file = write("ada admin " + ENCODER.encode("x".repeat(72)) + "\n");

        assertThat(directory(file).check("ada", "x".repeat(72))).isPresent();
        assertThat(directory(file).check("ada", "x".repeat(73))).isEmpty();
    }

    @Test
    void theCommandMakesALineForTheFile() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        int code = run("a password of hers\n", out, "hash-password", "ada", "operator");

        assertThat(code).isZero();
        Path file = write(out.toString(StandardCharsets.UTF_8));
        assertThat(directory(file).check("ada", "a password of hers")).contains(Role.OPERATOR);
    }

    @ParameterizedTest
    @CsvSource({"short, ada, admin", "a long password, ada, client", "a long password, <ada>, admin"})
    void theCommandRefusesWhatCannotLogIn(String password, String name, String role) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        assertThat(run(password, out, "hash-password", name, role)).isEqualTo(2);
        assertThat(out.size()).isZero();
    }

    private static int run(String input, ByteArrayOutputStream out, String... arguments) {
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        return PasswordCommand.run(
                arguments,
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                nowhere);
    }

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("users"), text);
    }

    private static UserDirectory directory(Path file) {
        return new UserDirectory(Optional.of(new UsersFile(file)), ENCODER);
    }
}
