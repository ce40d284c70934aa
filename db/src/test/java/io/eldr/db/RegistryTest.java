package io.eldr.db;

import io.eldr.core.artifact.Evidence;
import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.clustering.Centroids;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.SignatureSpec;
import io.eldr.db.artifact.ArtifactContent;
import io.eldr.db.artifact.NewArtifact;
import io.eldr.db.pool.Pool;
import io.eldr.db.pool.PoolRepository;
import io.eldr.db.testing.TestDatabase;
import io.eldr.db.testing.TestPostgres;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
    static void connect(DynamicPropertyRegistry registry) {
        database().springProperties().forEach((name, value) -> registry.add(name, () -> value));
    }

    /** The database itself, for what goes past the registry. */
    protected static TestDatabase database() {
        return Shared.DATABASE;
    }

    protected Pool newPool() {
        return pools.save(new Pool("pool-" + UUID.randomUUID(), "own/moe-28M", Optional.empty(), GEOMETRY, NOON));
    }

    /** A valid artifact with one slot, which tells it from others. */
    protected static NewArtifact artifactFor(String slot) {
        RoutingArtifact artifact = new RoutingArtifact(
                new ModelIdentity("own/moe-28M", "", GEOMETRY),
                SignatureSpec.count(2, 4, LayerMask.of(2, 1)),
                Centroids.of(1, 4, new float[] {1, 0, 0, 0}),
                List.of(slot),
                0.1,
                Evidence.NONE);
        return new NewArtifact(
                artifact,
                ArtifactContent.of(slot.getBytes(StandardCharsets.UTF_8)),
                false,
                Optional.empty(),
                OptionalLong.empty(),
                "tester");
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
