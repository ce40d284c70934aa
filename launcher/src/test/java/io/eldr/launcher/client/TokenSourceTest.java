package io.eldr.launcher.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eldr.launcher.console.CommandFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenSourceTest {

    @TempDir
    private Path folder;

    @Test
    void theOptionComesFirstThenTheEnvironmentThenTheFile() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "from-file\n");
        Map<String, String> environment = Map.of("ELDR_TOKEN", "from-environment");

        assertThat(new TokenSource(environment, file).token(Optional.of("from-option")))
                .isEqualTo("from-option");
        assertThat(new TokenSource(environment, file).token(Optional.empty())).isEqualTo("from-environment");
        assertThat(new TokenSource(Map.of(), file).token(Optional.empty())).isEqualTo("from-file");
    }

    @Test
    void anEmptyVariableIsNone() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "from-file\n");

        assertThat(new TokenSource(Map.of("ELDR_TOKEN", " "), file).token(Optional.empty()))
                .isEqualTo("from-file");
    }

    @Test
    void saysWhereATokenCouldComeFrom() {
        Path file = folder.resolve("token");

        assertThatExceptionOfType(CommandFailedException.class)
                .isThrownBy(() -> new TokenSource(Map.of(), file).token(Optional.empty()))
                .withMessageContainingAll("--token", "ELDR_TOKEN", file.toString());
    }
}
