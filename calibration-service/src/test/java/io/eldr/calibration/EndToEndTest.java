package io.eldr.calibration;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.artifact.RoutingArtifact;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class EndToEndTest {
    private final TestServer server = TestServer.shared();
    private final ApiClient admin = server.as(TestToken.ADMIN);
    private final ApiClient operator = server.as(TestToken.OPERATOR);

    @Test
    void fitsPublishesActivatesRefusesTheSameAgainAndRollsBack() {
        TestPool pool = TestPool.create(server).withDecoders(3).withSamples(120);

        JsonNode first = operator.refit(pool.name(), "{}");
        assertThat(first.path("state").asString()).as(first.toString()).isEqualTo("SUCCEEDED");
        assertThat(first.path("version").asInt()).isEqualTo(1);
        assertThat(first.path("progress").asDouble()).isEqualTo(1);
        assertThat(first.path("report").path("basis").path("kind").asString()).isEqualTo("full");
        assertCurrent(pool, 1, 1, "activate");

        JsonNode again = operator.refit(pool.name(), "{}");
        assertThat(again.path("state").asString()).isEqualTo("REJECTED");
        assertThat(again.path("reason").asString()).isEqualTo("nothing new since version 1");
        assertThat(again.has("version")).isFalse();

        JsonNode forced = admin.refit(pool.name(), "{\"force\":true}");
        assertThat(forced.path("state").asString()).isEqualTo("SUCCEEDED");
        assertCurrent(pool, 2, 2, "activate");

        JsonNode back = operator.post(pool.path() + "/rollback", "{\"reason\":\"try the old one\"}")
                .expect(201)
                .json();
        assertThat(back.path("version").asInt()).isEqualTo(1);
        assertThat(back.path("generation").asInt()).isEqualTo(3);
        assertThat(back.path("actor").asString()).isEqualTo("operator");
        assertCurrent(pool, 3, 1, "rollback");

        RoutingArtifact artifact = ArtifactCodec.decode(operator.get(pool.path() + "/artifacts/1/binary")
                .expect(200)
                .response()
                .body());
        assertThat(artifact.slots()).containsExactlyInAnyOrder("decoder-0", "decoder-1", "decoder-2");
        assertThat(artifact.model().name()).isEqualTo("tiny");
        assertThat(artifact.model().revision()).isEqualTo("r1");
    }

    private void assertCurrent(TestPool pool, int generation, int version, String kind) {
        JsonNode current =
                admin.get(pool.path() + "/activations/current").expect(200).json();
        assertThat(List.of(
                        current.path("generation").asInt(),
                        current.path("version").asInt(),
                        current.path("kind").asString()))
                .isEqualTo(List.of(generation, version, kind));
    }
}
