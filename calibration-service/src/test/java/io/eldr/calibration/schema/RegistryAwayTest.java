package io.eldr.calibration.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.ControlledFitting;
import io.eldr.calibration.testing.EventStream;
import io.eldr.calibration.testing.RestartablePostgres;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;

@ExtendWith(OutputCaptureExtension.class)
class RegistryAwayTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void waitsForPostgresAndItsSchemaAndLosesNoRefitWhenPostgresIsRestarted(
            @TempDir Path directory, CapturedOutput output) throws Exception {
        try (RestartablePostgres postgres = new RestartablePostgres(directory)) {
            try (TestServer server = TestServer.startWithoutWaiting(
                    postgres.springProperties(),
                    List.of(ControlledFitting.Replacement.class),
                    "spring.datasource.hikari.connection-timeout=1000",
                    "eldr.calibration.refit.heartbeat-interval=1s")) {
                ApiClient admin = server.as(TestToken.ADMIN);
                assertThat(ready(server)).isEqualTo(503);
                assertThat(status(server, "/livez")).isEqualTo(200);
                assertUnavailable(admin);
                admin.get("/v1/openapi.json").expect(200);

                postgres.start();
                await().atMost(PATIENCE)
                        .until(() -> admin.get("/v1/pools")
                                .json()
                                .path("detail")
                                .asString("")
                                .contains("schema"));
                assertThat(ready(server)).isEqualTo(503);

                assertThat(SchemaCommandsTest.migrate(postgres.springProperties()))
                        .isZero();
                await().atMost(PATIENCE).until(() -> ready(server) == 200);
                TestPool pool = TestPool.create(server).withDecoders(2).withSamples(40);
                String location =
                        admin.post(pool.path() + "/refits", "{}").expect(202).header("Location");
                ControlledFitting fitting = server.bean(ControlledFitting.class);
                await().atMost(PATIENCE).until(() -> fitting.running() == 1);
                EventStream stream = admin.events(location);

                postgres.stop();
                await().atMost(PATIENCE).until(stream::isOver);
                assertThat(stream.last().name()).isEqualTo("unavailable");
                assertThat(stream.last().data().path("detail").asString()).contains("Postgres does not answer");
                await().atMost(PATIENCE).until(() -> ready(server) == 503);
                assertUnavailable(admin);
                admin.postSamples(pool.name(), TestPool.line("late", 0, 1, true))
                        .expectProblem(503, "unavailable");
                postgres.start();
                await().atMost(PATIENCE).until(() -> ready(server) == 200);
                fitting.release();
                JsonNode run = admin.refitAt(location);
                assertThat(run.path("state").asString()).as(run.toString()).isEqualTo("SUCCEEDED");
                assertThat(admin.get(pool.path() + "/samples")
                                .json()
                                .path("count")
                                .asInt())
                        .isEqualTo(40);
                assertThat(output.toString())
                        .contains("For want of the registry: ")
                        .doesNotContain("at com.github.kagkarlsson");
            }
        }
    }

    private static void assertUnavailable(ApiClient admin) {
        ApiClient.Answer answer = admin.get("/v1/pools").expectProblem(503, "unavailable");
        assertThat(answer.header("Retry-After")).isNotEmpty();
        admin.post("/v1/pools", "{}").expectProblem(503, "unavailable");
    }

    private static int ready(TestServer server) {
        return status(server, "/readyz");
    }

    private static int status(TestServer server, String path) {
        return ApiClient.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path)))
                .status();
    }
}
