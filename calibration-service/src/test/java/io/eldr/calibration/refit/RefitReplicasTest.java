package io.eldr.calibration.refit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.calibration.schema.RegistryClock;
import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.ControlledFitting;
import io.eldr.calibration.testing.EventStream;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import io.eldr.db.testing.TestDatabase;
import io.eldr.db.testing.TestPostgres;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import tools.jackson.databind.JsonNode;

/** Replicas whose clocks are far apart. */
class RefitReplicasTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration APART = Duration.ofMinutes(10);
    /** One that missed four is dead. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(2);

    static class Ahead {
        @Bean
        @Primary
        RegistryClock ahead() {
            return new RegistryClock(Clock.offset(Clock.systemUTC(), APART), System::nanoTime);
        }
    }

    static class Behind {
        @Bean
        @Primary
        RegistryClock behind() {
            return new RegistryClock(Clock.offset(Clock.systemUTC(), APART.negated()), System::nanoTime);
        }
    }

    @Test
    void runOneRefitShowItEverywhereAndCancelItFromAnywhereWhateverTheirClocksSay() {
        TestDatabase database = TestPostgres.freshDatabase();
        try (TestServer ahead = start(database, Ahead.class);
                TestServer behind = start(database, Behind.class)) {
            ControlledFitting here = ahead.bean(ControlledFitting.class);
            ControlledFitting there = behind.bean(ControlledFitting.class);
            TestPool pool = TestPool.create(ahead).withDecoders(2).withSamples(40);
            String location = request(ahead, pool, 1);
            await().atMost(PATIENCE).until(() -> here.running() + there.running() == 1);
            TestServer idle = here.running() == 1 ? behind : ahead;
            EventStream stream = idle.as(TestToken.VIEWER).events(location);

            // Each looks for dead ones every two heartbeats.
            await().during(HEARTBEAT.multipliedBy(2).plusSeconds(1))
                    .atMost(PATIENCE)
                    .until(() -> here.running() + there.running() == 1);
            JsonNode run = idle.as(TestToken.VIEWER).get(location).json();
            assertThat(run.path("attempts").asInt()).as("nobody took it").isEqualTo(1);
            assertThat(Instant.parse(run.path("startedAt").asString()))
                    .isBetween(
                            Instant.now().minus(Duration.ofMinutes(2)),
                            Instant.now().plusSeconds(60));

            idle.as(TestToken.OPERATOR).post(location + "/cancel", "").expect(200);
            await().atMost(PATIENCE).until(() -> here.running() + there.running() == 0);
            await().atMost(PATIENCE).until(stream::isOver);
            assertThat(stream.last().data().path("state").asString()).isEqualTo("CANCELLED");

            here.release();
            there.release();
            for (int seed = 1; seed <= 4; seed++) {
                TestServer asked = seed % 2 == 0 ? ahead : behind;
                asked.as(TestToken.ADMIN).refitAt(request(asked, pool, seed));
            }
            ahead.as(TestToken.OPERATOR).post(pool.path() + "/rollback", "").expect(201);
            behind.as(TestToken.OPERATOR).post(pool.path() + "/rollback", "").expect(201);
            List<Instant> times = ahead.as(TestToken.VIEWER)
                    .get(pool.path() + "/activations")
                    .json()
                    .valueStream()
                    .map(activation ->
                            Instant.parse(activation.path("activatedAt").asString()))
                    .toList();
            assertThat(times).hasSize(6).isSortedAccordingTo((a, b) -> b.compareTo(a));
            assertThat(Duration.between(times.getLast(), times.getFirst())).isLessThan(Duration.ofMinutes(5));
        }
    }

    private static TestServer start(TestDatabase database, Class<?> clock) {
        return TestServer.start(
                database.springProperties(),
                List.of(ControlledFitting.Replacement.class, clock),
                "eldr.calibration.refit.heartbeat-interval=" + HEARTBEAT.toSeconds() + "s");
    }

    private static String request(TestServer server, TestPool pool, int seed) {
        ApiClient admin = server.as(TestToken.ADMIN);
        return admin.post(pool.path() + "/refits", "{\"seed\":%d,\"force\":true}".formatted(seed))
                .expect(202)
                .header("Location");
    }
}
