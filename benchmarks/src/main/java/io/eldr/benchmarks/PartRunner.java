package io.eldr.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Runs each part in a JVM of its own, so that none has the memory or the compiled code of another. */
final class PartRunner {
    /** What {@code -XX:+ExitOnOutOfMemoryError} exits with. */
    private static final int OUT_OF_MEMORY = 3;

    private final List<String> java;

    /** @param java the command that starts {@link Main}, less the options that a part wants */
    private PartRunner(List<String> java) {
        this.java = java;
    }

    static PartRunner ofThisProcess() {
        return new PartRunner(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules=jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+ExitOnOutOfMemoryError",
                "-Deldr.home=" + System.getProperty("eldr.home", ""),
                "-jar",
                System.getProperty("java.class.path")));
    }

    /**
     * The figures of all parts, each under its label.
     *
     * @throws PartFailedException if one did not come to an end
     */
    JsonNode run(List<Part> parts) {
        ObjectNode figures = JsonMapper.shared().createObjectNode();
        for (Part part : parts) {
            figures.set(part.label(), run(part));
        }
        return figures;
    }

    /**
     * The figures of one part.
     *
     * @throws PartFailedException if it did not come to an end
     */
    JsonNode run(Part part) {
        return run(part, "");
    }

    /** The figures of a part that wants to know something. */
    JsonNode run(Part part, String argument) {
        List<String> command = new ArrayList<>(java);
        command.addAll(1, part.jvmOptions());
        command.addAll(List.of("part", part.name(), argument));
        System.err.println("eldr: measuring " + part.label());
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int exit = process.waitFor();
            if (exit != 0) {
                throw new PartFailedException(part.label() + " could not be measured with "
                        + String.join(" ", part.jvmOptions()) + ": exit code " + exit
                        + (exit == OUT_OF_MEMORY ? ", which means that the memory did not suffice" : ""));
            }
            return JsonMapper.shared().readTree(out);
        } catch (IOException e) {
            throw new PartFailedException(part.label() + " could not be started: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PartFailedException(part.label() + " was interrupted", e);
        }
    }
}
