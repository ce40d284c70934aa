package io.eldr.router.testing;

import static org.awaitility.Awaitility.await;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.db.testing.TestDatabase;
import io.eldr.db.testing.TestPostgres;
import io.eldr.service.testing.TestIssuer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** One router with its database for all test classes of a JVM; each test uses pools of its own. */
public final class SharedRouter {

    /** How long a breaker stays open. */
    public static final Duration OPEN_FOR = Duration.ofMinutes(1);
    /** How long a decoder must have stood idle to get the next request. */
    public static final Duration STARVED_AFTER = Duration.ofSeconds(30);

    public static final MovingClock CLOCK = new MovingClock();
    public static final TestDatabase DATABASE = TestPostgres.freshDatabase();
    public static final Registry REGISTRY = new Registry(DATABASE, SharedRouter::awaitGone);
    public static final Path DATA = temporaryFolder();
    /** Whose tokens it accepts besides. */
    public static final TestIssuer ISSUER = TestIssuer.start();

    public static final TestRouter ROUTER = TestRouter.start(
            CLOCK,
            DATABASE.springProperties(),
            properties(
                    "eldr.router.data-dir=" + DATA,
                    // Shorter than it takes to give up an engine that does not answer, longer than a busy machine
                    // stops.
                    "eldr.gateway.handoff-deadline=5s",
                    "eldr.gateway.connect-timeout=6s",
                    // What a test is to see for a while ends by the clock that it moves: a busy machine is done before.
                    "eldr.router.breaker.open-for=" + OPEN_FOR,
                    "eldr.router.policies.starvation.after=" + STARVED_AFTER,
                    // What an engine said counts for three times as long.
                    "eldr.router.scrape.interval=2s",
                    // So long that what is followed at once was followed for a notification.
                    "eldr.router.poll-interval=4s"));

    private SharedRouter() {}

    private static String[] properties(String... own) {
        return Stream.concat(ISSUER.properties().stream(), Stream.of(own)).toArray(String[]::new);
    }

    /** A pool that the router serves: {@code decoder-0..} READY, artifact version 1 under generation 1. */
    public static RoutingArtifact servingPool(String pool, int decoders) {
        RoutingArtifact artifact = REGISTRY.servingPool(pool, decoders);
        awaitGeneration(pool, 1);
        return artifact;
    }

    public static void awaitGeneration(String pool, long generation) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> ROUTER.get("/v1/pools/" + pool + "/decoders")
                                .json()
                                .path("generation")
                                .asLong(-1)
                        == generation);
    }

    /** What is open there is open under the next pool of this name as well: its lease ends first. */
    private static void awaitGone(String pool) {
        CLOCK.advance(Duration.ofSeconds(601));
        await().atMost(Duration.ofSeconds(60))
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
