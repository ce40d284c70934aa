package io.eldr.db;

import io.eldr.core.signature.Geometry;
import io.eldr.db.pool.Pool;
import io.eldr.db.pool.PoolRepository;
import io.eldr.db.testing.TestDatabase;
import io.eldr.db.testing.TestPostgres;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A test on the registry as services see it. All of them share one application and one database, so each works in pools
 * of its own. Hibernate compares its entities with the migrated schema when the application starts.
 */
@SpringBootTest(classes = RegistryApplication.class, properties = "spring.jpa.hibernate.ddl-auto=validate")
public abstract class RegistryTest {
    protected static final Geometry GEOMETRY = new Geometry(2, 4, 2);
    protected static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    @Autowired
    protected PoolRepository pools;

    @Autowired
    protected JdbcClient jdbc;

    @Autowired
    protected AdjustableClock clock;

    @Autowired
    private TransactionTemplate transactions;

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry registry) {
        Shared.DATABASE.springProperties().forEach((name, value) -> registry.add(name, () -> value));
    }

    protected Pool newPool() {
        return pools.save(new Pool("pool-" + UUID.randomUUID(), "own/moe-28M", Optional.empty(), GEOMETRY, NOON));
    }

    protected <T> T inTransaction(Supplier<T> work) {
        return transactions.execute(status -> work.get());
    }

    protected void inTransaction(Runnable work) {
        transactions.executeWithoutResult(status -> work.run());
    }

    private static final class Shared {
        static final TestDatabase DATABASE = TestPostgres.freshDatabase();
    }
}
