package io.eldr.router.testing;

import static org.awaitility.Awaitility.await;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.db.testing.TestDatabase;
import io.eldr.db.testing.TestPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** One router with its database for all test classes of a JVM; each test uses pools of its own. */
public final class SharedRouter {

    public static final MovingClock CLOCK = new MovingClock();
    public static final TestDatabase DATABASE = TestPostgres.freshDatabase();
    public static final Registry REGISTRY = new Registry(DATABASE, SharedRouter::awaitGone);
    public static final Path DATA = temporaryFolder();
    public static final TestRouter ROUTER = TestRouter.start(
            CLOCK,
            DATABASE.springProperties(),
            "eldr.router.data-dir=" + DATA,
            // Shorter than it takes to give up an engine that does not answer.
            "eldr.gateway.handoff-deadline=1s",
            // So long that what is followed at once was followed for a notification.
            "eldr.router.poll-interval=4s");

    private SharedRouter() {}

    /** A pool that the router serves: {@code decoder-0..} READY, artifact version 1 under generation 1. */
    public static RoutingArtifact servingPool(String pool, int decoders) {
        RoutingArtifact artifact = REGISTRY.servingPool(pool, decoders);
        awaitGeneration(pool, 1);
        return artifact;
    }

    public static void awaitGeneration(String pool, long generation) {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> ROUTER.get("/v1/pools/" + pool + "/decoders")
                                .json()
                                .path("generation")
                                .asLong(-1)
                        == generation);
    }

    private static void awaitGone(String pool) {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> ROUTER.get("/v1/pools/" + pool + "/decoders").status() == 404);
    }

    private static Path temporaryFolder() {
        try {
            return Files.createTempDirectory("eldr-router-test");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
