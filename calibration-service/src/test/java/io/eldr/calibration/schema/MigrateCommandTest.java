package io.eldr.calibration.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.db.schema.Schema;
import io.eldr.db.testing.TestDatabase;
import io.eldr.db.testing.TestPostgres;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class MigrateCommandTest {
    @Test
    void bringsTheSchemaUpAndDoesNothingTheSecondTime() {
        try (TestDatabase database = TestPostgres.emptyDatabase()) {
            assertThat(RegistryAwayTest.migrate(database.springProperties())).isZero();
            assertThat(new Schema(database.dataSource()).isReady()).isTrue();
            assertThat(RegistryAwayTest.migrate(database.springProperties())).isZero();
        }
    }

    @Test
    void saysWhatIsWrongAndEndsWithOneWhereThereIsNoDatabase(CapturedOutput output) {
        assertThat(RegistryAwayTest.migrate(Map.of(
                        "spring.datasource.url", "jdbc:postgresql://127.0.0.1:9/none",
                        "spring.datasource.hikari.connection-timeout", "500")))
                .isEqualTo(1);
        assertThat(output).contains("The schema was not migrated: Connection refused");
    }
}
