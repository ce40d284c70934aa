package io.eldr.calibration.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

class RouterApiTest {
    private final ApiClient viewer = TestServer.shared().as(TestToken.VIEWER);
    private final JdbcClient jdbc =
            JdbcClient.create(TestServer.sharedDatabase().dataSource());
    private final String router = "router-" + UUID.randomUUID();

    @Test
    void showsWhatEachRouterRunsAndRefused() {
        TestPool pool = TestPool.create(TestServer.shared());
        heartbeat("now()");
        jdbc.sql("insert into router_pool_status"
                        + " select ?, id, 4, 2, 'postgres', 5, 'the checksum is wrong', now() from pool where name = ?")
                .params(router, pool.name())
                .update();

        JsonNode shown = find().orElseThrow();

        assertThat(shown.path("url").asString()).isEqualTo("http://r:8080");
        JsonNode status = shown.path("pools").get(0);
        assertThat(status.path("pool").asString()).isEqualTo(pool.name());
        assertThat(status.path("generation").asLong()).isEqualTo(4);
        assertThat(status.path("artifactVersion").asInt()).isEqualTo(2);
        assertThat(status.path("source").asString()).isEqualTo("postgres");
        assertThat(status.path("nack").path("generation").asLong()).isEqualTo(5);
        assertThat(status.path("nack").path("reason").asString()).isEqualTo("the checksum is wrong");
    }

    @Test
    void leavesOutWhoGaveNoSignOfLifeForLong() {
        heartbeat("now() - interval '11 minutes'");

        assertThat(find()).isEmpty();
        assertThat(find("?seenWithinMinutes=12")).isPresent();
    }

    @Test
    void refusesATimeThatMakesNoSense() {
        viewer.get("/v1/routers?seenWithinMinutes=0").expectInvalid("seenWithinMinutes");
        viewer.get("/v1/routers?seenWithinMinutes=1441").expectInvalid("seenWithinMinutes");
    }

    private void heartbeat(String lastSeen) {
        jdbc.sql("insert into router_instance values (?, 'http://r:8080', now() - interval '1 hour', " + lastSeen + ")")
                .param(router)
                .update();
    }

    private Optional<JsonNode> find() {
        return find("");
    }

    private Optional<JsonNode> find(String query) {
        return viewer.get("/v1/routers" + query)
                .expect(200)
                .json()
                .valueStream()
                .filter(shown -> shown.path("id").asString().equals(router))
                .findFirst();
    }
}
