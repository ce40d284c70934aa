package io.eldr.calibration.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.calibration.DeclaredPool;
import io.eldr.calibration.DeclaredPool.DeclaredWorker;
import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;

/** Pools and workers that configuration names. */
@ExtendWith(OutputCaptureExtension.class)
class DeclaredPoolsTest {
    private final ApiClient admin = TestServer.shared().as(TestToken.ADMIN);
    private final String name = "declared-" + UUID.randomUUID();
    private final String path = "/v1/pools/" + name;

    @Test
    void areMadeOnceAndThenBelongToTheOperator() {
        start(pool(48, new DeclaredWorker("d-0", "decode", "http://10.0.0.1:8000", "http")));
        JsonNode made = admin.get(path).expect(200).json();
        assertThat(made.path("layers").asInt()).isEqualTo(48);
        assertThat(made.path("policy").asString()).isEqualTo("jsq");
        assertThat(made.path("aliases").toString()).isEqualTo("[\"alias\"]");
        assertThat(made.path("dialect").asString()).isEqualTo("prefill-first");
        assertThat(made.path("engineModel").asString()).isEqualTo("served");
        assertThat(made.path("adapters").toString()).isEqualTo("[\"law\"]");
        assertThat(admin.get("/v1/audit?pool=" + name).expect(200).json().toString())
                .contains("\"pool.create\"", "\"configuration\"");

        admin.patch(path, "{\"policy\":\"eldr\"}").expect(200);
        start(pool(48, new DeclaredWorker("d-0", "decode", "http://10.0.0.1:8000", "http")));
        assertThat(admin.get(path).json().path("policy").asString()).isEqualTo("eldr");
        assertThat(worker("d-0").path("updatedAt")).isEqualTo(worker("d-0").path("createdAt"));
    }

    @Test
    void workersFollowTheirUrlsAndKeepTheRest() {
        start(pool(48, new DeclaredWorker("d-0", "decode", "http://10.0.0.1:8000", "http")));
        admin.put(
                        path + "/workers/d-0",
                        "{\"role\":\"decode\",\"url\":\"http://10.0.0.1:8000\",\"weight\":2,\"maxInFlight\":9}")
                .expect(200);
        admin.put(path + "/workers/by-hand", "{\"role\":\"decode\",\"url\":\"http://10.0.0.9:8000\"}")
                .expect(201);
        start(pool(
                48,
                new DeclaredWorker("d-0", "decode", "http://10.0.0.2:8000", "none"),
                new DeclaredWorker("p-0", "prefill", "http://10.0.0.3:8000", "http")));
        assertThat(worker("d-0").path("url").asString()).isEqualTo("http://10.0.0.2:8000");
        assertThat(worker("d-0").path("probe").asString()).isEqualTo("none");
        assertThat(worker("d-0").path("weight").asDouble()).isEqualTo(2);
        assertThat(worker("d-0").path("maxInFlight").asInt()).isEqualTo(9);
        assertThat(worker("p-0").path("role").asString()).isEqualTo("prefill");
        assertThat(worker("by-hand").path("url").asString()).isEqualTo("http://10.0.0.9:8000");
    }

    @Test
    void anotherGeometryChangesNothingAndIsSaid(CapturedOutput output) {
        start(pool(48));
        start(pool(24, new DeclaredWorker("d-0", "decode", "http://10.0.0.1:8000", "http")));
        assertThat(admin.get(path).json().path("layers").asInt()).isEqualTo(48);
        assertThat(admin.get(path + "/workers").json()).isEmpty();
        assertThat(output).contains("The declared pool " + name + " is another one than the pool of this name");
    }

    @Test
    void oneThatIsWrongIsLeftOutAndTheOthersAreMade(CapturedOutput output) {
        start(
                speaking("no/name", null),
                speaking(name + "-other", "sglang"),
                pool(48, new DeclaredWorker("d-0", "encode", "http://10.0.0.1:8000", "http")),
                pool(48));
        assertThat(output).contains("The declared pool no/name is not made: name");
        assertThat(output)
                .contains("The declared pool " + name
                        + "-other is not made: dialect: must be one of vllm, prefill-first but is 'sglang'");
        admin.get(path + "-other").expect(404);
        assertThat(output).contains("The declared pool " + name + " is not made: role");
        admin.get(path).expect(200);
    }

    private DeclaredPool pool(int layers, DeclaredWorker... workers) {
        return new DeclaredPool(
                name,
                "org/model",
                null,
                layers,
                128,
                8,
                List.of("alias"),
                "prefill-first",
                "served",
                List.of("law"),
                "jsq",
                List.of(workers));
    }

    private static DeclaredPool speaking(String name, @Nullable String dialect) {
        return new DeclaredPool(name, "m", null, 1, 1, 1, List.of(), dialect, null, List.of(), null, List.of());
    }

    private JsonNode worker(String slot) {
        return admin.get(path + "/workers")
                .expect(200)
                .json()
                .valueStream()
                .filter(worker -> worker.path("slot").asString().equals(slot))
                .findFirst()
                .orElseThrow();
    }

    /** What happens when a service starts that declares these. */
    private static void start(DeclaredPool... declared) {
        TestServer server = TestServer.shared();
        new DeclaredPools(List.of(declared), server.bean(PoolService.class), server.bean(WorkerService.class))
                .registryIsThere();
    }
}
