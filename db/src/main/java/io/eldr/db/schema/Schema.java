package io.eldr.db.schema;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** The registry's schema in one database. */
public final class Schema {
    private final Flyway flyway;

    public Schema(DataSource database) {
        this.flyway = Flyway.configure()
                .dataSource(database)
                .locations("classpath:db/migration")
                .validateMigrationNaming(true)
                .load();
    }

    /**
     * Brings the schema to the newest version that this program knows; does nothing where it is there already. Several
     * callers at once are safe: Flyway lets one of them work and the others wait.
     *
     * @return how many migrations were applied
     */
    public int migrate() {
        return flyway.migrate().migrationsExecuted;
    }

    /**
     * Whether everything this program needs is there. A newer schema than it knows counts as ready: migrations only go
     * forward, and a program runs on the next schema too.
     */
    public boolean isReady() {
        try {
            return flyway.info().pending().length == 0;
        } catch (FlywayException unreachable) {
            return false;
        }
    }
}
