package io.eldr.launcher.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eldr.launcher.console.CommandFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {

    @TempDir
    private Path parent;

    @Test
    void makesAFolderThatOnlyItsOwnerReads() throws IOException {
        Path root = parent.resolve("deep").resolve("data");

        try (DataFolder data = DataFolder.open(root)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.root())))
                    .isEqualTo("rwx------");
        }
        try (DataFolder again = DataFolder.open(root)) {
            assertThat(again.root()).isEqualTo(root);
        }
    }

    @Test
    void takesAnEmptyFolder() throws IOException {
        try (DataFolder data = DataFolder.open(parent)) {
            assertThat(data.root().resolve(DataFolder.MARK)).exists();
        }
    }

    @Test
    void leavesAFolderAloneThatSomebodyElseFilled() throws IOException {
        Files.writeString(parent.resolve("thesis.txt"), "years of work");

        assertThatExceptionOfType(CommandFailedException.class)
                .isThrownBy(() -> DataFolder.open(parent).close())
                .withMessageContaining(parent.toString())
                .withMessageContaining("--data");
        assertThat(parent).isDirectoryContaining("glob:**/thesis.txt").isDirectoryNotContaining("glob:**/lock");
    }

    @Test
    void refusesAFile() throws IOException {
        Path file = Files.writeString(parent.resolve("file"), "");

        assertThatExceptionOfType(CommandFailedException.class)
                .isThrownBy(() -> DataFolder.open(file).close())
                .withMessageContaining("is no folder");
    }

    @Test
    void refusesASecondUserAndNamesTheFirst() throws IOException {
        try (DataFolder data = DataFolder.open(parent)) {
            assertThatExceptionOfType(CommandFailedException.class)
                    .isThrownBy(() -> DataFolder.open(data.root()).close())
                    .withMessageContaining("process " + ProcessHandle.current().pid())
                    .withMessageContaining("--data");
        }
    }

    @Test
    void knowsWhetherTheLastRunWasKilled() throws IOException {
        try (DataFolder data = DataFolder.open(parent)) {
            assertThat(data.lastRunEnded()).isTrue();
        }
        try (DataFolder data = DataFolder.open(parent)) {
            assertThat(data.lastRunEnded()).isTrue();
        }
        Files.writeString(parent.resolve("lock"), "4711");

        try (DataFolder data = DataFolder.open(parent)) {
            assertThat(data.lastRunEnded()).isFalse();
        }
    }

    @Test
    void wipesEverythingThatUpMade() throws IOException {
        try (DataFolder data = DataFolder.open(parent)) {
            Files.writeString(data.folder("postgres").resolve("PG_VERSION"), "18");
            Files.createSymbolicLink(data.root().resolve("link"), Path.of("/etc"));
            String token = data.secret("token", new Random(1));

            data.wipe();

            assertThat(data.root()).isDirectoryNotContaining("glob:**/{postgres,token,link}");
            assertThat(Path.of("/etc")).exists();
            assertThat(data.secret("token", new Random(2))).isNotEqualTo(token);
            assertThatExceptionOfType(CommandFailedException.class)
                    .isThrownBy(() -> DataFolder.open(parent).close());
        }
    }

    @Test
    void aSecretIsMadeOnceAndReadByItsOwnerOnly() throws IOException {
        try (DataFolder data = DataFolder.open(parent)) {
            String token = data.secret("token", new Random(1));

            assertThat(token).matches("[A-Za-z0-9_-]{43}");
            assertThat(data.secret("token", new Random(2))).isEqualTo(token);
            assertThat(data.secret("other", new Random(2))).isNotEqualTo(token);
            assertThat(data.root().resolve("token")).hasContent(token);
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(data.root().resolve("token"))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void aSecretThatWasNotWrittenToTheEndIsMadeAgain() throws IOException {
        try (DataFolder data = DataFolder.open(parent)) {
            Files.createFile(data.root().resolve("token"));

            assertThat(data.secret("token", new Random(1))).hasSize(43);
        }
    }
}
