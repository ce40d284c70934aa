package io.eldr.launcher.calibrate;

import io.eldr.launcher.console.CommandFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes a result so that a reader never sees half of it. */
final class OutputFiles {
    private OutputFiles() {}

    static void write(Path file, byte[] content) throws IOException {
        Path absolute = file.toAbsolutePath();
        Path folder = absolute.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new CommandFailedException("cannot write " + file + ": there is no folder " + folder);
        }
        if (Files.exists(absolute) && !Files.isRegularFile(absolute)) {
            Files.write(absolute, content);
            return;
        }
        Path half = Files.createTempFile(folder, ".eldr-", ".part");
        try {
            Files.write(half, content);
            Files.move(half, absolute, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(half);
        }
    }
}
