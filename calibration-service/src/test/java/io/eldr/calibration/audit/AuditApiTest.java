package io.eldr.calibration.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class AuditApiTest {
    private final TestServer server = TestServer.shared();
    private final ApiClient viewer = server.as(TestToken.VIEWER);

    @Test
    void saysWhoChangedWhatFromWhatToWhat() {
        TestPool pool = TestPool.create(server).withDecoders(2).withSamples(20);
        server.as(TestToken.ADMIN).patch(pool.path(), "{\"tau\":0.3}").expect(200);
        server.as(TestToken.OPERATOR)
                .post(pool.path() + "/workers/decoder-0/drain", "")
                .expect(200);
        server.as(TestToken.OPERATOR).refit(pool.name(), "{\"holdOut\":0}");
        server.as(TestToken.OPERATOR).delete(pool.path() + "/workers/decoder-1").expect(204);

        JsonNode entries =
                viewer.get("/v1/audit?pool=" + pool.name()).expect(200).json();
        assertThat(entries.valueStream().map(entry -> entry.path("action").asString()))
                .containsExactly(
                        "worker.remove",
                        "artifact.activate",
                        "artifact.publish",
                        "refit.request",
                        "worker.drain",
                        "pool.change",
                        "samples.add",
                        "worker.declare",
                        "worker.declare",
                        "pool.create");
        JsonNode change = entries.get(5);
        assertThat(change.path("actor").asString()).isEqualTo("admin");
        assertThat(change.path("before").path("tau").asString()).isEqualTo("auto");
        assertThat(change.path("after").path("tau").asDouble()).isEqualTo(0.3);
        assertThat(entries.get(1).path("actor").asString()).isEqualTo("operator");
        assertThat(entries.get(1).path("after").path("generation").asInt()).isEqualTo(1);
        assertThat(entries.get(0).path("before").path("slot").asString()).isEqualTo("decoder-1");
        assertThat(viewer.get("/v1/audit?limit=3&pool=" + pool.name()).json()).hasSize(3);
        assertThat(viewer.get("/v1/audit?limit=2").json()).hasSize(2);
        viewer.get("/v1/audit?pool=a%00").expectInvalid("pool");
        for (String limit : List.of("0", "1001", "-1", "x")) {
            viewer.get("/v1/audit?limit=" + limit).expectInvalid("limit");
        }
    }

    @Test
    void namesTheUserThatAServiceActsForAndBelievesNobodyElse() {
        TestPool pool = TestPool.create(server);
        pin(TestToken.UI, pool, "carol");
        pin(TestToken.ADMIN, pool, "mallory");
        JsonNode entries = viewer.get("/v1/audit?pool=" + pool.name()).json();
        assertThat(entries.get(1).path("actor").asString()).isEqualTo("carol");
        assertThat(entries.get(1).path("actingThrough").asString()).isEqualTo("ui");
        assertThat(entries.get(0).path("actor").asString()).isEqualTo("admin");
        assertThat(entries.get(0).has("actingThrough")).isFalse();
        ApiClient.send(server.as(TestToken.UI)
                        .request(pool.path())
                        .header("X-Eldr-Acting-User", "x".repeat(200))
                        .header("Content-Type", "application/json")
                        .method("PATCH", BodyPublishers.ofString("{}")))
                .expectInvalid("X-Eldr-Acting-User");
    }

    @Test
    void aServiceDoesNoMoreThanTheRoleOfTheUserItActsForAllows() {
        TestPool pool = TestPool.create(server).withDecoders(2).withSamples(40);
        actAs("viewer", pool, "/rollback", "{}").expectProblem(403, "forbidden");
        actAs("operator", pool, "/refits", "{\"force\":true}").expectProblem(403, "forbidden");
        actAs("nobody", pool, "/refits", "{}").expectInvalid("X-Eldr-Acting-Role");
        String location =
                actAs("admin", pool, "/refits", "{\"force\":true}").expect(202).header("Location");
        assertThat(viewer.refitAt(location).path("requestedBy").asString()).isEqualTo("dora");
        ApiClient.send(server.as(TestToken.VIEWER)
                        .request(pool.path() + "/rollback")
                        .header("X-Eldr-Acting-Role", "admin")
                        .POST(BodyPublishers.noBody()))
                .expectProblem(403, "forbidden");
    }

    private ApiClient.Answer actAs(String role, TestPool pool, String path, String json) {
        return ApiClient.send(server.as(TestToken.UI)
                .request(pool.path() + path)
                .header("X-Eldr-Acting-User", "dora")
                .header("X-Eldr-Acting-Role", role)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json)));
    }

    @Test
    void keepsTheUserAndTheServiceApartInWhatARefitDoes() {
        TestPool pool = TestPool.create(server).withDecoders(2).withSamples(40);
        ApiClient ui = server.as(TestToken.UI);
        ApiClient.Answer asked = ApiClient.send(ui.request(pool.path() + "/refits")
                        .header("X-Eldr-Acting-User", "alice")
                        .POST(BodyPublishers.noBody()))
                .expect(202);
        JsonNode run = viewer.refitAt(asked.header("Location"));
        assertThat(run.path("requestedBy").asString()).isEqualTo("alice");
        assertThat(run.path("requestedThrough").asString()).isEqualTo("ui");
        JsonNode entries = viewer.get("/v1/audit?limit=2&pool=" + pool.name()).json();
        assertThat(entries.valueStream().map(entry -> entry.path("action").asString()))
                .containsExactly("artifact.activate", "artifact.publish");
        assertThat(entries.valueStream())
                .allMatch(entry -> entry.path("actor").asString().equals("alice")
                        && entry.path("actingThrough").asString().equals("ui"));
    }

    private void pin(TestToken token, TestPool pool, String user) {
        ApiClient.send(server.as(token)
                        .request(pool.path())
                        .header("X-Eldr-Acting-User", user)
                        .header("Content-Type", "application/json")
                        .method("PATCH", BodyPublishers.ofString("{\"pinned\":true}")))
                .expect(200);
    }
}
