package io.eldr.calibration.drift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import io.eldr.core.drift.ObservationWindow;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** With windows of 2,000 requests, the default. */
class DriftApiTest {
    private static final int DECODERS = 4;

    private final TestServer server = TestServer.shared();
    private final ApiClient client = server.as(TestToken.CLIENT);
    private final ApiClient operator = server.as(TestToken.OPERATOR);

    private TestPool fitted() {
        TestPool pool = TestPool.create(server).withDecoders(DECODERS).withSamples(400);
        assertThat(operator.refit(pool.name(), "{}").path("version").asInt()).isOne();
        return pool;
    }

    private JsonNode drift(TestPool pool) {
        return operator.get(pool.path() + "/drift").expect(200).json();
    }

    @Test
    void windowsOfSeveralRoutersMergeAndCalmOnesRaiseNothing() {
        TestPool pool = fitted();
        Observer one = Observer.of(client, pool, "router-1");
        Observer other = Observer.of(client, pool, "router-2");
        assertThat(one.usual(1_200).path("outcome").asString()).isEqualTo("counted");
        JsonNode half = drift(pool);
        assertThat(half.path("state").asString()).isEqualTo("calm");
        assertThat(half.at("/collecting/requests").asInt()).isEqualTo(1_200);
        assertThat(half.path("windows")).isEmpty();
        other.usual(900);

        JsonNode full = drift(pool);
        assertThat(full.path("state").asString()).isEqualTo("calm");
        assertThat(full.path("generation").asInt()).isOne();
        assertThat(full.at("/collecting/requests").asInt()).isZero();
        assertThat(full.at("/thresholds/window").asInt()).isEqualTo(2_000);
        assertThat(full.at("/thresholds/windowsInRow").asInt()).isEqualTo(3);
        assertThat(full.at("/heldOut/requests").asInt())
                .isEqualTo(one.baseline().requests());
        JsonNode window = full.path("windows").get(0);
        assertThat(window.path("requests").asInt()).isEqualTo(2_100);
        assertThat(window.path("psi").asDouble()).isLessThan(0.02);
        assertThat(window.path("ks").asDouble()).isLessThan(0.01);
        assertThat(window.path("mixShift").asBoolean()).isFalse();
        assertThat(window.path("spillRate").asDouble()).isCloseTo(0.25, within(1e-9));
        assertThat(window.at("/hottest/slot").asString()).startsWith("decoder-");
    }

    @Test
    void threeDriftedWindowsInARowRaiseAnAlarmAndANewVersionEndsIt() {
        TestPool pool = fitted();
        Observer router = Observer.of(client, pool, "router-1");
        router.shifted(2_000);
        assertThat(drift(pool).path("state").asString()).isEqualTo("suspected");
        router.shifted(2_000);
        router.shifted(2_000);
        JsonNode alarm = drift(pool);
        assertThat(alarm.path("state").asString()).isEqualTo("alarm");
        assertThat(alarm.hasNonNull("since")).isTrue();
        assertThat(alarm.path("windows")).hasSize(3);
        assertThat(alarm.at("/windows/0/mixShift").asBoolean()).isTrue();
        assertThat(alarm.at("/windows/0/alarm").asBoolean()).isTrue();
        assertThat(alarm.at("/windows/1/alarm").asBoolean()).isFalse();
        assertThat(alarm.at("/windows/0/hottest/share").asDouble()).isOne();
        router.shifted(2_000);
        assertThat(entries(pool, "drift.alarm")).hasSize(1);
        assertThat(operator.get(pool.path() + "/drift?limit=1").json().path("windows"))
                .hasSize(1);

        // The refit that the alarm asked for finds nothing new, if it looks before another version is active.
        await().until(() -> operator.get(pool.path() + "/refits")
                .json()
                .valueStream()
                .allMatch(run -> run.hasNonNull("finishedAt")));
        activateAnother(pool);
        JsonNode anew = drift(pool);
        assertThat(anew.path("state").asString()).isNotEqualTo("alarm");
        assertThat(anew.path("generation").asInt()).isEqualTo(2);
        assertThat(anew.path("windows")).hasSize(4);
        assertThat(router.shifted(2_000).path("outcome").asString()).isEqualTo("ignored");
    }

    /** Imports an artifact and activates it. */
    private void activateAnother(TestPool pool) {
        byte[] first = operator.get(pool.path() + "/artifacts/1/binary")
                .expect(200)
                .response()
                .body();
        int version = operator.post(
                        pool.path() + "/artifacts", "application/octet-stream", BodyPublishers.ofByteArray(first))
                .expect(201)
                .json()
                .path("version")
                .asInt();
        operator.post(pool.path() + "/activations", "{\"version\":" + version + "}")
                .expect(201);
    }

    @Test
    void anAlarmEndsAfterThreeCalmWindows() {
        TestPool pool = fitted();
        Observer router = Observer.of(client, pool, "router-1");
        for (int i = 0; i < 3; i++) {
            router.shifted(2_000);
        }
        router.usual(2_000);
        router.usual(2_000);
        assertThat(drift(pool).path("state").asString()).isEqualTo("alarm");
        router.usual(2_000);
        assertThat(drift(pool).path("state").asString()).isEqualTo("calm");
        assertThat(entries(pool, "drift.clear")).hasSize(1);
    }

    @Test
    void aPostThatComesAgainCountsOnce() {
        TestPool pool = fitted();
        Observer router = Observer.of(client, pool, "router-1");
        String body = router.body(5, 1, router.usualNearest(700), router.usualSimilarities(700));
        assertThat(router.post(body).path("outcome").asString()).isEqualTo("counted");
        assertThat(router.post(body).path("outcome").asString()).isEqualTo("duplicate");
        assertThat(drift(pool).at("/collecting/requests").asInt()).isEqualTo(700);
    }

    @Test
    void postsThatComeAtOnceAllCount() throws Exception {
        TestPool pool = fitted();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<JsonNode>> posts = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                Observer router = Observer.of(client, pool, "router-" + i);
                posts.add(threads.submit(() -> router.usual(250)));
            }
            for (Future<JsonNode> post : posts) {
                assertThat(post.get().path("outcome").asString()).isEqualTo("counted");
            }
        }
        JsonNode drift = drift(pool);
        assertThat(drift.at("/windows/0/requests").asInt()).isEqualTo(2_000);
        assertThat(drift.at("/collecting/requests").asInt()).isEqualTo(500);
    }

    @Test
    void withoutHeldOutStatisticsDriftIsUnknown() {
        TestPool pool = TestPool.create(server);
        assertThat(drift(pool).path("state").asString()).isEqualTo("unknown");
        String body = observation(pool, 1);
        client.post(pool.path() + "/observations", body).expectProblem(409, "conflict");
        operator.post(pool.path() + "/artifacts", """
                        {"model":"tiny","k":1,"L":4,"e":8,"layer_mask":[0],"variant":"count_idf",
                         "sig_idf":[1,1,1,1,1,1,1,1],"centroids":[[1,0,0,0,0,0,0,0]],"seed":1}""").expect(201);
        operator.post(pool.path() + "/activations", "{\"version\":1}").expect(201);
        JsonNode ignored =
                client.post(pool.path() + "/observations", body).expect(200).json();
        assertThat(ignored.path("outcome").asString()).isEqualTo("ignored");
        assertThat(ignored.path("reason").asString()).contains("no held-out statistics");
        assertThat(drift(pool).path("reason").asString()).contains("no held-out statistics");
        client.post(pool.path() + "/observations", observation(pool, 2)).expectProblem(409, "conflict");
    }

    private static String observation(TestPool pool, long generation) {
        return """
                {"router":"%s","sequence":1,"generation":%d,"requests":1,"withoutSignature":0,"nearest":[1],
                 "similarities":[1],"similaritySum":0.5,"spilled":0,"singletonBands":0}""".formatted(pool.name(), generation);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            router           | ""
            router           | "a/b"
            router           | null
            sequence         | 0
            sequence         | 1.5
            generation       | -1
            generation       | "1"
            requests         | -1
            requests         | 9223372036854775807
            requests         | null
            withoutSignature | 2
            nearest          | [1, 0]
            nearest          | [null]
            nearest          | []
            similarities     | [2]
            similaritySum    | 7
            similaritySum    | "NaN"
            spilled          | 2
            singletonBands   | -3
            colour           | 1
            """)
    void namesTheFieldThatItRefuses(String field, String value) {
        TestPool pool = SharedPool.POOL;
        String good = observation(pool, 1).replaceAll("\\s+", "");
        String bad = field.equals("colour")
                ? good.replace("\"router\"", "\"colour\":" + value + ",\"router\"")
                : good.replaceAll("\"" + field + "\":(\\[[^]]*]|\"[^\"]*\"|[0-9.]+)", "\"" + field + "\":" + value);
        assertThat(bad).isNotEqualTo(good);
        client.post(pool.path() + "/observations", bad).expectInvalid(field);
    }

    @Test
    void aWindowOfAnotherShapeIsRefusedByName() {
        TestPool pool = SharedPool.POOL;
        client.post(pool.path() + "/observations", observation(pool, 1)).expectInvalid("nearest");
        Observer router = Observer.of(client, pool, "router-1");
        client.post(pool.path() + "/observations", router.body(1, 1, router.usualNearest(1), List.of(1L)))
                .expectInvalid("similarities");
        assertThat(drift(pool).has("collecting")).isFalse();
    }

    /** One that nothing is ever counted in. */
    private static final class SharedPool {
        static final TestPool POOL = new DriftApiTest().fitted();
    }

    @Test
    void whatARouterPostsIsReadAsItMeansIt() throws IOException {
        String example = Files.readString(Path.of("..", "docs", "openapi", "examples", "observation.json"));
        ObservationPost post = server.bean(JsonMapper.class).readValue(example, ObservationPost.class);
        assertThat(post.checkedRouter()).isEqualTo("router-1-0123456789abcdef");
        assertThat(post.checkedSequence()).isEqualTo(7);
        assertThat(post.checkedGeneration()).isEqualTo(3);
        assertThat(post.window())
                .isEqualTo(new ObservationWindow(5, 1, List.of(3L, 1L), List.of(0L, 0L, 1L, 3L), 3.5, 2, 4));
    }

    private List<JsonNode> entries(TestPool pool, String action) {
        return operator.get("/v1/audit?pool=" + pool.name())
                .json()
                .valueStream()
                .filter(entry -> entry.path("action").asString().equals(action))
                .toList();
    }
}
