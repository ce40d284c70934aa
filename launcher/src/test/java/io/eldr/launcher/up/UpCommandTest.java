package io.eldr.launcher.up;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.launcher.CommandLineRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code up} refuses before it starts anything; what it starts is in {@link UpTest}. */
class UpCommandTest {
    @TempDir
    private Path home;

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1000.5", "NaN", "Infinity"})
    void aRateThatIsNoneIsRefused(String rate) {
        CommandLineRun run = CommandLineRun.at(home, "up", "--rate=" + rate);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--rate must be over 0 and at most 1000 but is ");
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void anEmptyStackHasNoEngines() {
        CommandLineRun run = CommandLineRun.at(home, "up", "--empty", "--prefill=http://p", "--decode=http://d");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--empty has no engines");
        assertThat(home).isEmptyDirectory();
    }
}
