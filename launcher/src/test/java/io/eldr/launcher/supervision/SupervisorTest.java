package io.eldr.launcher.supervision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eldr.launcher.console.CommandFailedException;
import io.eldr.launcher.console.Console;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(240)
class SupervisorTest {

    private final List<String> events = new CopyOnWriteArrayList<>();
    private final List<Duration> pauses = new CopyOnWriteArrayList<>();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
    private final Supervisor supervisor =
            new Supervisor(RestartPolicy.DEFAULT, () -> Instant.EPOCH, pauses::add, new Console(stream, stream));

    @TempDir
    private Path folder;

    private FakeChild first;
    private FakeChild second;

    @BeforeEach
    void children() throws IOException {
        Path log = Files.writeString(folder.resolve("first.log"), "out of luck\n");
        first = new FakeChild("first", log, events);
        second = new FakeChild("second", log, events);
    }

    @Test
    void startsAChildAgainThatDiesAndShowsItsLog() throws Exception {
        supervisor.start(first);
        supervisor.watch(first);

        first.nextLife().die();
        FakeChild.FakeLife life = first.nextLife();

        assertThat(life.isAlive()).isTrue();
        assertThat(pauses).containsExactly(Duration.ofMillis(500));
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("first ended (exit code 137)", "out of luck");
    }

    @Test
    void givesUpOnAChildThatDiesTooOften() throws Exception {
        supervisor.start(first);
        supervisor.watch(first);

        for (int i = 0; i < 6; i++) {
            first.nextLife().die();
        }

        assertThat(supervisor.gaveUp().get(60, TimeUnit.SECONDS)).contains("first ended 6 times within 60 seconds");
        assertThat(events).hasSize(6).containsOnly("start first");
    }

    @Test
    void aChildThatCannotBeStartedAgainCountsLikeOneThatDies() throws Exception {
        supervisor.start(first);
        supervisor.watch(first);

        first.refuseToStart();
        first.nextLife().die();

        assertThat(supervisor.gaveUp().get(60, TimeUnit.SECONDS)).contains("first");
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("first does not start: no such program");
    }

    @Test
    void stopsInTheReverseOrderOfTheStart() throws Exception {
        supervisor.start(first);
        supervisor.start(second);
        supervisor.watch(first);
        supervisor.watch(second);

        supervisor.close();
        supervisor.close();

        assertThat(events).containsExactly("start first", "start second", "stop second", "stop first");
        assertThat(supervisor.gaveUp()).isNotDone();
    }

    @Test
    void startsNothingAfterItWasStopped() {
        supervisor.close();

        assertThatExceptionOfType(CommandFailedException.class).isThrownBy(() -> supervisor.start(first));
        assertThat(events).isEmpty();
    }

    @Test
    void aRestartedChildIsTheOneThatIsStopped() throws Exception {
        supervisor.start(first);
        supervisor.watch(first);
        first.nextLife().die();
        FakeChild.FakeLife life = first.nextLife();

        supervisor.close();

        assertThat(life.isAlive()).isFalse();
        assertThat(events).containsExactly("start first", "start first", "stop first");
    }
}
