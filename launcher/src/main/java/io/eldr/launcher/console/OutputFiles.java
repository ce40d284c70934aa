package io.eldr.launcher.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes a result so that a reader never sees half of it. */
public final class OutputFiles {
    private OutputFiles() {}

    /** Fails before any work is done if the file's folder is not there. */
    public static void requireFolder(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new CommandFailedException("cannot write " + file + ": there is no folder " + folder);
        }
    }

    public static void write(Path file, byte[] content) throws IOException {
        requireFolder(file);
        Path absolute = file.toAbsolutePath();
        if (Files.exists(absolute) && !Files.isRegularFile(absolute)) {
            Files.write(absolute, content);
            return;
        }
        Path half = Files.createTempFile(absolute.getParent(), ".eldr-", ".part");
        try {
            Files.write(half, content);
            Files.move(half, absolute, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(half);
        }
    }
}
