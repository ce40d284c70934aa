package io.eldr.launcher.client;

import io.eldr.launcher.console.CommandFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Where a command finds its token: the option, else the environment, else the file that {@code up} wrote.
 *
 * @param environment the process's environment
 * @param file the file {@code token} in the data folder of {@code up}
 */
public record TokenSource(Map<String, String> environment, Path file) {

    private static final String VARIABLE = "ELDR_TOKEN";

    public TokenSource {
        environment = Map.copyOf(environment);
    }

    /** @throws CommandFailedException if there is no token in any of the places */
    public String token(Optional<String> option) throws IOException {
        Optional<String> given = option.or(() -> Optional.ofNullable(environment.get(VARIABLE)))
                .map(String::strip)
                .filter(token -> !token.isEmpty());
        if (given.isPresent()) {
            return given.get();
        }
        if (Files.isReadable(file)) {
            return Files.readString(file).strip();
        }
        throw new CommandFailedException("A token is needed: give --token, or set " + VARIABLE
                + ", or let ./eldr up write one (there is none at " + file + ")");
    }
}
