package io.eldr.launcher.postgres;

import io.eldr.launcher.console.CommandFailedException;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Postgres refuses to run as root. Where the launcher is root (a container), its programs run in a user namespace of
 * their own, in which they are nobody and yet own the files.
 *
 * @param prefix what to put before a command
 */
record PrivilegeDrop(List<String> prefix) {

    private static final List<String> USER_NAMESPACE = List.of("unshare", "-U");

    PrivilegeDrop {
        prefix = List.copyOf(prefix);
    }

    /** @throws CommandFailedException if this process is root and may not make user namespaces */
    static PrivilegeDrop ofThisProcess() {
        if (!"0".equals(output(List.of("id", "-u")))) {
            return new PrivilegeDrop(List.of());
        }
        List<String> probe = new ArrayList<>(USER_NAMESPACE);
        probe.addAll(List.of("id", "-u"));
        String inside = output(probe);
        if (inside.isEmpty() || inside.equals("0")) {
            throw new CommandFailedException("Postgres does not run as root, and this machine does not let root make a"
                    + " user namespace (unshare -U); run ./eldr as an ordinary user");
        }
        return new PrivilegeDrop(USER_NAMESPACE);
    }

    ProcessBuilder processBuilder(List<String> command) {
        List<String> all = new ArrayList<>(prefix);
        all.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(all);
        // The server keeps its working directory for as long as it runs.
        builder.directory(new File("/"));
        return builder;
    }

    /** What a command prints, or nothing if it fails. */
    private static String output(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (var reader = process.inputReader()) {
                String text = reader.readAllAsString().strip();
                return process.waitFor() == 0 ? text : "";
            }
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
