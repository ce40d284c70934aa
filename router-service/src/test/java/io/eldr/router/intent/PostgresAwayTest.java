package io.eldr.router.intent;

import static io.eldr.router.testing.SharedRouter.DATABASE;
import static io.eldr.router.testing.SharedRouter.REGISTRY;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.core.signature.EldrSigForm;
import io.eldr.router.testing.Fixtures;
import io.eldr.router.testing.Gate;
import io.eldr.router.testing.SharedRouter;
import io.eldr.router.testing.TestRouter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The router without Postgres: it starts, it goes on, it recovers by itself. */
class PostgresAwayTest {

    /** Far below the shared router's poll interval. */
    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    @Test
    void cutConnectionsAreMadeAgainAndNothingIsMissed() {
        SharedRouter.servingPool("cut", 2);
        REGISTRY.publish("cut", 2, Fixtures.artifact(2, 2));
        for (int round = 0; round < 3; round++) {
            REGISTRY.jdbc()
                    .sql("select pg_terminate_backend(pid) from pg_stat_activity"
                            + " where application_name like 'eldr-router%' and datname = current_database()")
                    .query()
                    .listOfRows();
            assertThat(ROUTER.post("/v1/route", body("cut", "c", "dryRun", true))
                            .status())
                    .isEqualTo(200);
            REGISTRY.activate("cut", round % 2 == 0 ? 2 : 1);
            SharedRouter.awaitGeneration("cut", round + 2);
        }
        await().until(() -> REGISTRY.jdbc()
                        .sql("select count(*) from pg_stat_activity where datname = current_database()"
                                + " and application_name = 'eldr-router-notifications'")
                        .query(Integer.class)
                        .single()
                == 1);
        // The listening connection is there again: activations are followed at once. A poll may do so with one, by
        // chance, and then not with the next; a machine that stops for a moment is asked again.
        await().until(() -> {
            Duration first = untilFollowed("cut");
            Duration second = untilFollowed("cut");
            return first.compareTo(AT_ONCE) < 0 && second.compareTo(AT_ONCE) < 0;
        });
    }

    /** How long it takes until the router follows another activation. */
    private static Duration untilFollowed(String pool) {
        long generation = REGISTRY.activate(pool, 1);
        long start = System.nanoTime();
        await().pollInterval(Duration.ofMillis(10)).until(() -> generation(ROUTER, pool) == generation);
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Test
    void aLostNotificationCostsNoMoreThanAPoll() throws SQLException {
        SharedRouter.servingPool("silent", 2);
        try (Connection connection = DATABASE.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("set session_replication_role = replica");
            statement.execute("insert into activation (pool_id, generation, version, kind, actor, activated_at)"
                    + " select id, 2, 1, 'activate', 'test', now() from pool"
                    + " where name = 'silent' and deleted_at is null");
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> generation(ROUTER, "silent") == 2);
    }

    @Test
    void aRouterStartsFromDiskWhilePostgresIsAwayAndFollowsItOnceItIsThere(@TempDir Path disk) throws Exception {
        SharedRouter.servingPool("kept", 3);
        REGISTRY.set("kept", "tau", 0.33);
        JsonNode before = await().until(
                        () -> route(ROUTER), answer -> answer.at("/band/tau").asDouble() == 0.33);
        await().until(() ->
                Files.readString(SharedRouter.DATA.resolve("last-good.eldr")).contains("\"kept\""));
        await().until(() -> {
            Files.copy(
                    SharedRouter.DATA.resolve("last-good.eldr"),
                    disk.resolve("last-good.eldr"),
                    java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            return Files.readString(disk.resolve("last-good.eldr")).contains("0.33");
        });

        int postgres = URI.create(DATABASE.url().substring("jdbc:".length())).getPort();
        try (Gate gate = new Gate(postgres)) {
            Map<String, String> through = new HashMap<>(DATABASE.springProperties());
            through.replaceAll((name, value) -> value.replace(":" + postgres + "/", ":" + gate.port() + "/"));
            try (TestRouter router = TestRouter.start(through, "eldr.router.data-dir=" + disk)) {
                await().until(() -> router.get("/readyz").status() == 200);
                assertThat(router.get("/readyz").json().path("degraded").asBoolean())
                        .isTrue();
                assertThat(router.get("/readyz").json().path("postgres").asString())
                        .isEqualTo("away");
                assertThat(route(router).path("band")).isEqualTo(before.path("band"));
                assertThat(route(router).path("artifactVersion").asInt()).isEqualTo(1);
                assertThat(source(router)).isEqualTo("disk");

                REGISTRY.publish("kept", 2, Fixtures.artifact(2, 3));
                REGISTRY.activate("kept", 2);
                gate.open();
                await().until(() -> generation(router, "kept") == 2);
                assertThat(source(router)).isEqualTo("postgres");
                await().until(() ->
                        router.get("/readyz").json().path("postgres").asString().equals("connected"));

                gate.shut();
                await().until(() ->
                        router.get("/readyz").json().path("postgres").asString().equals("away"));
                assertThat(router.get("/readyz").status()).isEqualTo(200);
                assertThat(route(router).path("artifactVersion").asInt()).isEqualTo(2);
                REGISTRY.activate("kept", 1);
                gate.open();
                await().until(() -> generation(router, "kept") == 3);
            }
        }
    }

    @Test
    void withNeitherPostgresNorAGoodFileItLivesAndIsNotReady(@TempDir Path disk) throws Exception {
        Files.writeString(disk.resolve("last-good.eldr"), "eldr-last-good 1 garbage\n{}");
        try (TestRouter router = TestRouter.start(TestRouter.NO_DATABASE, "eldr.router.data-dir=" + disk)) {
            assertThat(router.get("/livez").status()).isEqualTo(200);
            assertThat(router.get("/readyz").status()).isEqualTo(503);
            assertThat(router.get("/readyz").json().path("status").asString()).isEqualTo("waiting");
            assertThat(router.get("/v1/pools").json().path("pools")).isEmpty();
            assertThat(router.post("/v1/route", body("any", "a")).status()).isEqualTo(404);
        }
    }

    private static JsonNode route(TestRouter router) {
        return router.post(
                        "/v1/route",
                        body(
                                "kept",
                                "k",
                                "dryRun",
                                true,
                                "signature",
                                Map.of("eldr_sig", EldrSigForm.write(Fixtures.counts(4, 10)))))
                .json();
    }

    private static String source(TestRouter router) {
        return router.get("/v1/pools/kept/artifact").json().path("source").asString();
    }

    private static long generation(TestRouter router, String pool) {
        return router.get("/v1/pools/" + pool + "/decoders")
                .json()
                .path("generation")
                .asLong(-1);
    }
}
