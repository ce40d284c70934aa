package io.eldr.launcher.console;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Where a command writes. Scripts read standard output, so only results go there.
 *
 * @param out for results
 * @param err for logs and errors
 */
public record Console(PrintStream out, PrintStream err) {

    private static final int TAIL_LINES = 30;

    /** The console of this process. */
    public static Console ofProcess() {
        return new Console(System.out, System.err);
    }

    /** A line of the result. */
    public void result(String line) {
        out.println(line);
        out.flush();
    }

    /** A line about what is going on. */
    public void log(String line) {
        err.println("eldr: " + line);
    }

    /** The end of a log file, so that nobody needs to look for it. */
    public void logEndOf(Path file) {
        Deque<String> tail = new ArrayDeque<>();
        try (var lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                tail.addLast(line);
                if (tail.size() > TAIL_LINES) {
                    tail.removeFirst();
                }
            }
        } catch (IOException e) {
            log("cannot read " + file + ": " + e.getMessage());
            return;
        }
        log("the end of " + file + ":");
        tail.forEach(line -> err.println("  | " + line));
    }
}
