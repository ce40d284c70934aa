package io.eldr.launcher;

import io.eldr.launcher.console.Console;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** One run of {@code ./eldr ARGUMENTS} inside the test's JVM, with what it printed. */
public record CommandLineRun(int exitCode, String out, String err) {
    public static CommandLineRun of(String... arguments) {
        return at(checkout(), arguments);
    }

    /** The same as if this were the checkout. */
    public static CommandLineRun at(Path home, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console = new Console(
                new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8));
        int exitCode = CommandLines.eldr(console, home).execute(arguments);
        return new CommandLineRun(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    public List<String> lines() {
        return out.lines().toList();
    }

    /** The root of the checkout, wherever the test was started. */
    public static Path checkout() {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("eldr"))) {
                return folder;
            }
        }
        throw new IllegalStateException("the test does not run inside a checkout");
    }
}
