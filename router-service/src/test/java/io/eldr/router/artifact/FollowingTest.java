package io.eldr.router.artifact;

import static io.eldr.router.testing.SharedRouter.REGISTRY;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.signature.EldrSigForm;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.Signature;
import io.eldr.router.testing.Fixtures;
import io.eldr.router.testing.SharedRouter;
import io.eldr.router.testing.TestRouter.Answer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Following activations: new versions, rollbacks, and versions that must not serve. */
class FollowingTest {

    private static final ExpertCounts COUNTS = Fixtures.counts(11, 10);

    @Test
    void aNewVersionDecidesOnceItIsActivatedAndARollbackFollowsUnderItsOwnGeneration() {
        SharedRouter.servingPool("following", 3);
        REGISTRY.publish("following", 2, Fixtures.artifact(2, 3));

        REGISTRY.activate("following", 2);
        await().until(() -> version("following") == 2);
        assertThat(route("following").path("generation").asLong()).isEqualTo(2);
        assertThat(route("following").path("similarity").asDouble())
                .isCloseTo(similarity(Fixtures.artifact(2, 3), route("following")), Offset.offset(1e-5));

        REGISTRY.activate("following", 1);
        await().until(() -> version("following") == 1);
        assertThat(route("following").path("generation").asLong()).isEqualTo(3);
        await().untilAsserted(() -> assertThat(REGISTRY.statuses("following"))
                .singleElement()
                .satisfies(status -> {
                    assertThat(status).containsEntry("generation", 3L).containsEntry("artifact_version", 1);
                    assertThat(status).containsEntry("source", "postgres").containsEntry("nack_reason", null);
                }));
    }

    @Test
    void aFlippedByteIsRefusedWithItsReasonAndTheOldVersionKeepsServing() {
        SharedRouter.servingPool("flipped", 3);
        RoutingArtifact next = Fixtures.artifact(2, 3);
        byte[] damaged = ArtifactCodec.encode(next);
        damaged[damaged.length / 2] ^= 4;
        REGISTRY.publish("flipped", 2, next, damaged);
        REGISTRY.activate("flipped", 2);

        JsonNode nack = awaitNack("flipped");
        assertThat(nack.path("generation").asLong()).isEqualTo(2);
        assertThat(nack.path("reason").asString()).contains("SHA-256");
        assertThat(version("flipped")).isEqualTo(1);
        assertThat(route("flipped").path("degraded").asBoolean()).isTrue();
        assertThat(ROUTER.get("/v1/pools/flipped/artifact")
                        .json()
                        .path("generation")
                        .asLong())
                .isEqualTo(1);
        await().untilAsserted(() -> assertThat(REGISTRY.statuses("flipped"))
                .singleElement()
                .satisfies(status -> {
                    assertThat(status).containsEntry("generation", 1L).containsEntry("nack_generation", 2L);
                    assertThat(String.valueOf(status.get("nack_reason"))).contains("SHA-256");
                }));

        REGISTRY.publish("flipped", 3, next);
        REGISTRY.activate("flipped", 3);
        await().until(() -> version("flipped") == 3);
        assertThat(ROUTER.get("/v1/pools/flipped/artifact").json().has("nack")).isFalse();
    }

    @Test
    void anotherArtifactUnderTheSameNumbersIsTakenIn() throws SQLException {
        SharedRouter.servingPool("replaced", 3);
        byte[] other = ArtifactCodec.encode(Fixtures.artifact(2, 3));
        // As after a restore of Postgres: the numbers are used a second time.
        try (Connection connection = SharedRouter.DATABASE.dataSource().getConnection()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("set session_replication_role = replica");
            }
            try (PreparedStatement update = connection.prepareStatement(
                    "update artifact set content = ?, sha256 = sha256(?), size_bytes = ?"
                            + " where pool_id = (select id from pool where name = 'replaced' and deleted_at is null)")) {
                update.setBytes(1, other);
                update.setBytes(2, other);
                update.setInt(3, other.length);
                assertThat(update.executeUpdate()).isEqualTo(1);
            }
        }
        await().until(() -> ROUTER.get("/v1/pools/replaced/artifact")
                .json()
                .path("sha256")
                .asString()
                .equals(ArtifactCodec.sha256Hex(other)));
        assertThat(route("replaced").path("similarity").asDouble())
                .isCloseTo(similarity(Fixtures.artifact(2, 3), route("replaced")), Offset.offset(1e-5));
    }

    @Test
    void anotherGeometryModelOrRevisionIsRefused() {
        ModelIdentity mine = new ModelIdentity("tiny-moe", "r1", Fixtures.GEOMETRY);
        REGISTRY.pool("misfits", mine);
        REGISTRY.decoders("misfits", 2);
        REGISTRY.publish("misfits", 1, Fixtures.artifact(mine, 1, 2, 0.1));
        REGISTRY.activate("misfits", 1);
        SharedRouter.awaitGeneration("misfits", 1);
        List<ModelIdentity> misfits = List.of(
                new ModelIdentity("tiny-moe", "r1", new Geometry(4, 16, 2)),
                new ModelIdentity("tiny-moe", "r1", new Geometry(5, 8, 2)),
                new ModelIdentity("tiny-moe", "r1", new Geometry(4, 8, 1)),
                new ModelIdentity("other-moe", "r1", Fixtures.GEOMETRY),
                new ModelIdentity("tiny-moe", "r2", Fixtures.GEOMETRY));
        List<String> named = List.of("geometry", "geometry", "geometry", "model", "revision");
        for (int i = 0; i < misfits.size(); i++) {
            int generation = i + 2;
            REGISTRY.publish("misfits", generation, Fixtures.artifact(misfits.get(i), 1, 2, 0.1));
            REGISTRY.activate("misfits", generation);
            String reason = named.get(i);
            await().untilAsserted(() -> {
                JsonNode nack = ROUTER.get("/v1/pools/misfits/artifact").json().path("nack");
                assertThat(nack.path("generation").asInt()).isEqualTo(generation);
                assertThat(nack.path("reason").asString()).startsWith(reason);
            });
            assertThat(version("misfits")).isEqualTo(1);
        }
    }

    @Test
    void aModelThatChangesUnderItsArtifactLeavesThePoolToTheLeastLoaded() {
        SharedRouter.servingPool("changed", 2);
        REGISTRY.set("changed", "model", "another-model");
        await().until(() -> route("changed").path("reason").asString().equals("no-artifact"));
        assertThat(route("changed").path("degraded").asBoolean()).isTrue();
        assertThat(awaitNack("changed").path("reason").asString()).startsWith("model");
    }

    @Test
    void whileVersionsSwapEveryDecisionComesFromExactlyOne() throws Exception {
        SharedRouter.servingPool("swapped", 4);
        REGISTRY.publish("swapped", 2, Fixtures.artifact(Fixtures.MODEL, 2, 4, 0.37));
        Map<Integer, JsonNode> bands = Map.of(1, bandOf("swapped", 1), 2, bandOf("swapped", 2));
        assertThat(bands.get(1)).isNotEqualTo(bands.get(2));
        AtomicBoolean done = new AtomicBoolean();
        List<JsonNode> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<JsonNode>>> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(threads.submit(() -> {
                    List<JsonNode> seen = new ArrayList<>();
                    while (!done.get()) {
                        seen.add(route("swapped"));
                    }
                    return seen;
                }));
            }
            try {
                for (int swap = 0; swap < 20; swap++) {
                    int version = swap % 2 + 1;
                    REGISTRY.activate("swapped", version);
                    await().pollInterval(Duration.ofMillis(5)).until(() -> version("swapped") == version);
                }
            } finally {
                done.set(true);
            }
            for (Future<List<JsonNode>> client : clients) {
                answers.addAll(client.get());
            }
        }
        assertThat(answers).hasSizeGreaterThan(20);
        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.path("band"))
                        .isEqualTo(bands.get(answer.path("artifactVersion").asInt())));
        assertThat(answers.stream().map(answer -> answer.path("artifactVersion").asInt()))
                .contains(1, 2);
    }

    private static JsonNode bandOf(String pool, int version) {
        if (version("swapped") != version) {
            REGISTRY.activate(pool, version);
            await().until(() -> version(pool) == version);
        }
        return route(pool).path("band");
    }

    private static JsonNode route(String pool) {
        Answer answer = ROUTER.post(
                "/v1/route",
                body(pool, "f", "dryRun", true, "signature", Map.of("eldr_sig", EldrSigForm.write(COUNTS))));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json();
    }

    private static int version(String pool) {
        return route(pool).path("artifactVersion").asInt(0);
    }

    private static double similarity(RoutingArtifact artifact, JsonNode answer) {
        Signature signature = artifact.spec().signatureOf(COUNTS);
        return artifact.centroids().similarity(answer.path("cluster").asInt(), signature);
    }

    private static JsonNode awaitNack(String pool) {
        return await().until(
                        () -> ROUTER.get("/v1/pools/" + pool + "/artifact")
                                .json()
                                .path("nack"),
                        nack -> !nack.isMissingNode());
    }
}
