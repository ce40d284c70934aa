package io.eldr.router.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.db.schema.Schema;
import io.eldr.db.testing.TestDatabase;
import io.eldr.db.testing.TestPostgres;
import io.eldr.router.testing.Registry;
import io.eldr.router.testing.TestRouter;
import java.time.Duration;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;

/**
 * A router of a new version starts before the migration ran: it is not ready and waits, so that a rollout goes no further.
 * That this version runs on the schema of the next one, every other test shows: their databases have it.
 */
class SchemaOfOtherVersionsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void aNewRouterOnAnOldSchemaIsNotReadyUntilItIsMigrated() {
        try (TestDatabase database = TestPostgres.emptyDatabase()) {
            Flyway.configure()
                    .dataSource(database.dataSource())
                    .locations("classpath:db/migration")
                    .target("10")
                    .load()
                    .migrate();
            new Registry(database).pool("old");
            try (TestRouter router = TestRouter.start(database.springProperties())) {
                assertThat(router.get("/livez").status()).isEqualTo(200);
                assertThat(router.get("/readyz").status()).isEqualTo(503);
                new Schema(database.dataSource()).migrate();
                await().atMost(PATIENCE).until(() -> router.get("/readyz").status() == 200);
                assertThat(router.get("/v1/pools/old/decoders").status()).isEqualTo(200);
            }
        }
    }
}
