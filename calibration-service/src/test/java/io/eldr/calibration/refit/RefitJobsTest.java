package io.eldr.calibration.refit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.ControlledFitting;
import io.eldr.calibration.testing.HeldServer;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import io.eldr.db.testing.TestDatabase;
import io.eldr.db.testing.TestPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** Refits across threads, replicas and deaths. Each test has a database of its own, so that nobody else runs its refits. */
class RefitJobsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** Of a replica that takes others for dead after four seconds. */
    private static final String SHORT_HEARTBEAT = "eldr.calibration.refit.heartbeat-interval=1s";

    private TestDatabase database;

    @BeforeEach
    void freshDatabase() {
        database = TestPostgres.freshDatabase();
    }

    private TestServer held(String... settings) {
        return TestServer.start(database.springProperties(), List.of(ControlledFitting.Replacement.class), settings);
    }

    private static String request(TestServer server, TestPool pool, String options) {
        return server.as(TestToken.ADMIN)
                .post(pool.path() + "/refits", options)
                .expect(202)
                .header("Location");
    }

    private static String state(ApiClient client, String location) {
        return client.get(location).expect(200).json().path("state").asString();
    }

    @Test
    void startsARefitAgainWhoseProcessWasKilled(@TempDir Path directory) {
        String location;
        TestPool pool;
        try (HeldServer victim = HeldServer.start(database.springProperties(), directory)) {
            ApiClient admin = victim.as(TestToken.ADMIN);
            pool = TestPool.create(admin).withDecoders(2).withSamples(40);
            location = admin.post(pool.path() + "/refits", "{}").expect(202).header("Location");
            await().atMost(PATIENCE)
                    .until(() -> admin.get(location).json().path("stage").asString(""), "mask"::equals);
            victim.kill();
        }
        try (TestServer successor = TestServer.start(database, SHORT_HEARTBEAT)) {
            JsonNode run = successor.as(TestToken.OPERATOR).refitAt(location);
            assertThat(run.path("state").asString()).as(run.toString()).isEqualTo("SUCCEEDED");
            assertThat(run.path("attempts").asInt()).isEqualTo(2);
            assertThat(run.path("version").asInt()).isEqualTo(1);
            assertThat(successor
                            .as(TestToken.VIEWER)
                            .get(pool.path() + "/activations/current")
                            .json()
                            .path("generation")
                            .asInt())
                    .isEqualTo(1);
        }
    }

    @Test
    void handsARefitOverWhenItsProcessIsStopped() {
        String location;
        try (TestServer first = held()) {
            TestPool pool = TestPool.create(first).withDecoders(2).withSamples(40);
            location = request(first, pool, "{}");
            await().atMost(PATIENCE)
                    .until(() -> first.bean(ControlledFitting.class).running() == 1);
        }
        try (TestServer second = TestServer.start(database, SHORT_HEARTBEAT)) {
            JsonNode run = second.as(TestToken.OPERATOR).refitAt(location);
            assertThat(run.path("state").asString()).as(run.toString()).isEqualTo("SUCCEEDED");
            assertThat(run.path("attempts").asInt()).isEqualTo(2);
        }
    }

    @Test
    void runsOneRefitPerPoolAtATimeAcrossReplicasAndDifferentPoolsBesideEachOther() {
        try (TestServer one = held("eldr.calibration.refit.threads=3");
                TestServer other = held("eldr.calibration.refit.threads=3")) {
            ControlledFitting here = one.bean(ControlledFitting.class);
            ControlledFitting there = other.bean(ControlledFitting.class);
            TestPool a = TestPool.create(one).withDecoders(2).withSamples(40);
            TestPool b = TestPool.create(one).withDecoders(2).withSamples(40);
            String first = request(one, a, "{}");
            await().atMost(PATIENCE).until(() -> here.running() + there.running() == 1);
            String second = request(other, a, "{\"seed\":2}");
            String elsewhere = request(other, b, "{}");
            await().atMost(PATIENCE).until(() -> here.running() + there.running() == 2);
            ApiClient client = one.as(TestToken.VIEWER);
            await().during(Duration.ofSeconds(1))
                    .atMost(PATIENCE)
                    .until(() -> state(client, second).equals("QUEUED") && here.running() + there.running() == 2);
            assertThat(state(client, first)).isEqualTo("RUNNING");
            assertThat(state(client, elsewhere)).isEqualTo("RUNNING");
            here.release();
            there.release();
            assertThat(client.refitAt(first).path("version").asInt()).isEqualTo(1);
            assertThat(client.refitAt(second).path("version").asInt()).isEqualTo(2);
            assertThat(client.refitAt(elsewhere).path("version").asInt()).isEqualTo(1);
        }
    }

    @Test
    void leavesARefitThatAnotherProcessHasTakenAndPublishesNothing() {
        try (TestServer server = held()) {
            TestPool pool = TestPool.create(server).withDecoders(2).withSamples(40);
            String location = request(server, pool, "{}");
            ControlledFitting fitting = server.bean(ControlledFitting.class);
            await().atMost(PATIENCE).until(() -> fitting.running() == 1);
            JdbcClient.create(database.dataSource())
                    .sql("update refit_run set attempts = attempts + 1, lock_version = lock_version + 1")
                    .update();
            await().atMost(PATIENCE).until(() -> fitting.running() == 0);
            ApiClient client = server.as(TestToken.VIEWER);
            assertThat(state(client, location)).isEqualTo("RUNNING");
            assertThat(client.get(pool.path() + "/artifacts").json()).isEmpty();
        }
    }

    @Test
    void endsARunningRefitWhenItsPoolIsDeleted() {
        try (TestServer server = held()) {
            TestPool pool = TestPool.create(server).withDecoders(2).withSamples(40);
            request(server, pool, "{}");
            ControlledFitting fitting = server.bean(ControlledFitting.class);
            await().atMost(PATIENCE).until(() -> fitting.running() == 1);
            await().atMost(PATIENCE)
                    .until(() -> server.as(TestToken.ADMIN).delete(pool.path()).status(), status -> status == 204);
            await().atMost(PATIENCE).until(() -> fitting.running() == 0);
            assertThat(JdbcClient.create(database.dataSource())
                            .sql("select state from refit_run")
                            .query(String.class)
                            .list())
                    .containsExactly("CANCELLED");
        }
    }

    @Test
    void givesUpOnARefitThatNeverComesToItsEnd(@TempDir Path directory) {
        String location;
        try (HeldServer victim = HeldServer.start(database.springProperties(), directory)) {
            ApiClient admin = victim.as(TestToken.ADMIN);
            TestPool pool = TestPool.create(admin).withDecoders(2).withSamples(40);
            location = admin.post(pool.path() + "/refits", "{}").expect(202).header("Location");
            await().atMost(PATIENCE)
                    .until(() -> admin.get(location).json().path("state").asString(""), "RUNNING"::equals);
            victim.kill();
        }
        try (TestServer successor =
                TestServer.start(database, SHORT_HEARTBEAT, "eldr.calibration.refit.max-attempts=1")) {
            JsonNode run = successor.as(TestToken.OPERATOR).refitAt(location);
            assertThat(run.path("state").asString()).isEqualTo("FAILED");
            assertThat(run.path("reason").asString()).contains("never came to its end");
        }
    }

    @Test
    void refusesMoreOpenRefitsThanAllowed() {
        try (TestServer server = held("eldr.calibration.refit.max-open=2")) {
            TestPool pool = TestPool.create(server).withDecoders(2).withSamples(40);
            request(server, pool, "{}");
            request(server, pool, "{}");
            server.as(TestToken.ADMIN).post(pool.path() + "/refits", "{}").expectProblem(409, "conflict");
            server.bean(ControlledFitting.class).release();
        }
    }
}
