package io.eldr.calibration.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.db.schema.Schema;
import io.eldr.db.testing.TestDatabase;
import io.eldr.db.testing.TestPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.simple.JdbcClient;

@ExtendWith(OutputCaptureExtension.class)
class SchemaCommandsTest {
    private static final Map<String, String> NO_POSTGRES =
            Map.of("spring.datasource.url", "jdbc:postgresql://127.0.0.1:9/none");

    @Test
    void bringsTheSchemaUpAndDoesNothingTheSecondTime() {
        try (TestDatabase database = TestPostgres.emptyDatabase()) {
            assertThat(migrate(database.springProperties())).isZero();
            assertThat(new Schema(database.dataSource()).isReady()).isTrue();
            assertThat(migrate(database.springProperties())).isZero();
        }
    }

    @Test
    void leavesTheSchemaOfANewerReleaseAsItIs() {
        try (TestDatabase database = TestPostgres.freshDatabase()) {
            JdbcClient jdbc = JdbcClient.create(database.dataSource());
            jdbc.sql("""
                            insert into flyway_schema_history
                            select max(installed_rank) + 1, '99999', 'of a newer release', 'SQL', 'V99999__n.sql', 1, 'n',
                                   now(), 1, true
                            from flyway_schema_history""").update();
            assertThat(migrate(database.springProperties())).isZero();
            assertThat(awaitSchema(database.springProperties())).isZero();
        }
    }

    @Test
    void saysWhatIsWrongAndEndsWithOneWhereThereIsNoDatabase(CapturedOutput output) {
        assertThat(migrate(NO_POSTGRES)).isEqualTo(1);
        assertThat(output).contains("The schema was not migrated: Connection refused");
        assertThat(awaitSchema(NO_POSTGRES, "eldr.calibration.schema.patience=3s"))
                .isEqualTo(1);
        assertThat(output).contains("Waiting: Connection refused", "The schema is not there: Connection refused");
    }

    @Test
    void doesNotWaitForWhatWaitingDoesNotMend(CapturedOutput output) {
        try (TestDatabase database = TestPostgres.emptyDatabase()) {
            String url = database.springProperties().getOrDefault("spring.datasource.url", "");
            assertThat(migrate(
                            database.springProperties(),
                            "spring.datasource.url=" + url.replaceFirst("/[^/?]+(\\?|$)", "/no_such_database$1"),
                            "eldr.calibration.schema.patience=1h"))
                    .isEqualTo(1);
            assertThat(output).contains("database \"no_such_database\" does not exist");
        }
    }

    @Test
    void waitsUntilSomebodyMigrates(CapturedOutput output) {
        try (TestDatabase database = TestPostgres.emptyDatabase()) {
            CompletableFuture<Integer> waiting = CompletableFuture.supplyAsync(
                    () -> awaitSchema(database.springProperties(), "eldr.calibration.schema.patience=5m"));
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> output.toString().contains("Waiting: Postgres answers, but migrations are missing"));
            assertThat(waiting).isNotDone();
            new Schema(database.dataSource()).migrate();
            await().atMost(Duration.ofSeconds(60)).until(waiting::isDone);
            assertThat(waiting).isCompletedWithValue(0);
        }
    }

    @Test
    void doesNotWaitWhereAFileStandsIn(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("last-good.eldr");
        assertThat(awaitSchema(NO_POSTGRES, "unless-file=" + file)).isEqualTo(1);
        Files.writeString(file, "state");
        assertThat(awaitSchema(NO_POSTGRES, "unless-file=" + file)).isZero();
    }

    static int migrate(Map<String, String> database, String... settings) {
        return run(SchemaCommands.MIGRATE, database, settings);
    }

    private static int awaitSchema(Map<String, String> database, String... settings) {
        return run(SchemaCommands.AWAIT, database, settings);
    }

    private static int run(String command, Map<String, String> database, String... settings) {
        List<String> arguments = new ArrayList<>(List.of(command));
        for (String setting : settings) {
            arguments.add("--" + setting);
        }
        database.forEach((name, value) -> {
            if (arguments.stream().noneMatch(argument -> argument.startsWith("--" + name + "="))) {
                arguments.add("--" + name + "=" + value);
            }
        });
        return SchemaCommands.run(arguments.toArray(String[]::new));
    }
}
