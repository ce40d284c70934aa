package io.eldr.db.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.db.testing.TestDatabase;
import io.eldr.db.testing.TestPostgres;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

class SchemaTest {
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
