package io.eldr.admin.users;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The built-in users: one a line as {@code name role bcrypt-hash}, lines with {@code #} say nothing. The file is read anew
 * when it changed, so that a user who was taken out cannot log in any more; a change that cannot be read leaves the users
 * as they were.
 */
final class UsersFile {
    private static final Logger log = LoggerFactory.getLogger(UsersFile.class);

    private record Content(FileTime modified, long size, Map<String, User> users) {}

    private final Path file;
    private volatile Content content;

    /** @throws IllegalArgumentException naming the line that is wrong */
    UsersFile(Path file) {
        this.file = file;
        try {
            this.content = read();
        } catch (IOException e) {
            throw new UncheckedIOException("eldr.admin.users.file cannot be read: " + file, e);
        }
    }

    Optional<User> find(String name) {
        refresh();
        return Optional.ofNullable(content.users().get(name));
    }

    private void refresh() {
        Content known = content;
        try {
            if (Files.getLastModifiedTime(file).equals(known.modified()) && Files.size(file) == known.size()) {
                return;
            }
            content = read();
            log.info("The users were read anew from {}", file);
        } catch (IOException | IllegalArgumentException e) {
            log.warn("The users stay as they were: {}", e.toString());
        }
    }

    private Content read() throws IOException {
        FileTime modified = Files.getLastModifiedTime(file);
        long size = Files.size(file);
        Map<String, User> users = new LinkedHashMap<>();
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            User user = parse(i + 1, line);
            if (users.putIfAbsent(user.name(), user) != null) {
                throw new IllegalArgumentException(file + ", line " + (i + 1) + ": " + user.name() + " is there twice");
            }
        }
        return new Content(modified, size, users);
    }

    private User parse(int number, String line) {
        try {
            return User.parse(line);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ", line " + number + ": " + e.getMessage(), e);
        }
    }

    /** Makes the file, whole or not at all, so that only its owner can read it. */
    static void write(Path file, List<User> users) throws IOException {
        Path folder = file.toAbsolutePath().normalize().resolveSibling("");
        Files.createDirectories(folder);
        Path unfinished = Files.createTempFile(
                folder,
                "users",
                ".tmp",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        StringBuilder text =
                new StringBuilder("# name role bcrypt-hash; a line is made by: java -jar eldr-admin-ui.jar "
                        + PasswordCommand.NAME + " NAME ROLE\n");
        users.forEach(user -> text.append(user.line()).append('\n'));
        Files.writeString(unfinished, text, StandardCharsets.UTF_8);
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
