package io.eldr.db.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.db.testing.TestDatabase;
import io.eldr.db.testing.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

class SchemaTest {
    private static final Pattern VERSION = Pattern.compile("V(\\d+)__\\w+\\.sql");
    private static final Pattern NARROWS = Pattern.compile(
            "drop (column|table)|rename (column|to)|alter (column )?\\w+ (set data )?type|set not null");

    /** The schema of the first release, before which nobody's version ran. */
    private static final int FIRST_RELEASED = 12;

    @Test
    void migratesAnEmptyDatabaseOnceAndThenHasNothingToDo() {
        try (TestDatabase database = TestPostgres.emptyDatabase()) {
            Schema schema = new Schema(database.dataSource());
            assertThat(schema.isReady()).isFalse();
            assertThat(schema.migrate()).isPositive();
            assertThat(schema.isReady()).isTrue();
            assertThat(schema.migrate()).isZero();
        }
    }

    /** A service of this version on the schema of the version before, and of the version after. */
    @Test
    void isReadyOnTheSchemaItNeedsAndOnNewerOnesButNotOnOlderOnes() {
        try (TestDatabase older = TestPostgres.emptyDatabase();
                TestDatabase newer = TestPostgres.freshDatabase()) {
            FluentConfiguration flyway =
                    Flyway.configure().dataSource(older.dataSource()).locations("classpath:db/migration");
            MigrationInfo[] known = flyway.load().info().pending();
            flyway.target(known[known.length - 2].getVersion()).load().migrate();
            Schema onOlder = new Schema(older.dataSource());
            assertThat(onOlder.isReady()).isFalse();
            assertThat(onOlder.migrate()).isOne();
            assertThat(onOlder.isReady()).isTrue();

            Schema onNewer = new Schema(newer.dataSource());
            assertThat(onNewer.isReady()).isTrue();
            assertThat(onNewer.migrate()).as("nothing goes back").isZero();
        }
    }

    /** The version before runs on this schema only if nothing that it knows is taken away or narrowed. */
    @Test
    void migrationsSinceTheFirstReleasedSchemaOnlyAdd() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/main/resources/db/migration"))) {
            for (Path file : files.toList()) {
                Matcher version = VERSION.matcher(file.getFileName().toString());
                assertThat(version.matches()).as("%s", file).isTrue();
                if (Integer.parseInt(version.group(1)) > FIRST_RELEASED) {
                    assertThat(Files.readString(file).toLowerCase(Locale.ROOT).replaceAll("--[^\n]*", ""))
                            .as("%s", file)
                            .doesNotContainPattern(NARROWS);
                }
            }
        }
    }

    @Test
    void isNotReadyWhileThereIsNoDatabase() {
        TestDatabase gone = TestPostgres.emptyDatabase();
        Schema schema = new Schema(gone.dataSource());
        gone.close();
        assertThat(schema.isReady()).isFalse();
    }

    @Test
    void handsOutDatabasesThatAreMigratedAndApart() {
        try (TestDatabase one = TestPostgres.freshDatabase();
                TestDatabase other = TestPostgres.freshDatabase()) {
            assertThat(new Schema(one.dataSource()).isReady()).isTrue();
            JdbcClient.create(one.dataSource())
                    .sql("insert into router_instance values ('r', null, now(), now())")
                    .update();
            assertThat(JdbcClient.create(other.dataSource())
                            .sql("select count(*) from router_instance")
                            .query(Long.class)
                            .single())
                    .isZero();
        }
    }

    @Test
    void keepsEveryTimeWithItsZone() {
        try (TestDatabase database = TestPostgres.freshDatabase()) {
            assertThat(JdbcClient.create(database.dataSource()).sql("""
                            select table_name || '.' || column_name from information_schema.columns
                            where table_schema = 'public' and table_name <> 'flyway_schema_history'
                              and data_type in ('timestamp without time zone', 'date', 'time without time zone')""").query().listOfRows())
                    .isEmpty();
        }
    }
}
