package io.eldr.launcher.supervision;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An executable jar in a JVM of its own. Its standard input is a pipe that this process holds open: the service stops
 * when the pipe closes, so it does not outlive a killed supervisor. A Ctrl-C in the terminal does not reach it, so that
 * the supervisor decides about the order.
 *
 * @param name what a person calls it
 * @param jar the executable jar
 * @param jvmOptions options of the JVM
 * @param arguments arguments of the program
 * @param secrets environment variables; other users of the machine can read arguments, but not these
 * @param log the file its output is appended to
 */
public record JavaService(
        String name, Path jar, List<String> jvmOptions, List<String> arguments, Map<String, String> secrets, Path log)
        implements Child {

    private static final Duration GRACE = Duration.ofSeconds(20);

    public JavaService {
        jvmOptions = List.copyOf(jvmOptions);
        arguments = List.copyOf(arguments);
        secrets = Map.copyOf(secrets);
    }

    @Override
    public Running start() throws IOException {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "trap '' INT; exec \"$@\"", name));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(arguments);
        Files.createDirectories(log.resolveSibling(""));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(secrets);
        return new ProcessLife(builder.start(), GRACE);
    }
}
