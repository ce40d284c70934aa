package io.eldr.calibration.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class ActivationApiTest {
    private final TestServer server = TestServer.shared();
    private final ApiClient operator = server.as(TestToken.OPERATOR);

    /** A pool with versions that were imported, none of them active. */
    private TestPool withVersions(int count) {
        TestPool pool = TestPool.create(server);
        for (int i = 0; i < count; i++) {
            operator.post(pool.path() + "/artifacts", """
                            {"model":"tiny","k":1,"L":4,"e":8,"layer_mask":[0],"variant":"count_idf",
                             "sig_idf":[1,1,1,1,1,1,1,1],"centroids":[[1,0,0,0,0,0,0,0]],"seed":%d}""".formatted(i)).expect(201);
        }
        return pool;
    }

    private ApiClient.Answer activate(TestPool pool, int version) {
        return operator.post(pool.path() + "/activations", "{\"version\":" + version + "}");
    }

    @Test
    void takesANewGenerationForEachChangeAndNoneForWhatIsActiveAlready() {
        TestPool pool = withVersions(2);
        operator.get(pool.path() + "/activations/current").expectProblem(404, "not-found");
        operator.post(pool.path() + "/rollback", "{}").expectProblem(409, "conflict");
        assertThat(activate(pool, 1).expect(201).json().path("generation").asInt())
                .isEqualTo(1);
        operator.post(pool.path() + "/rollback", "").expectProblem(409, "conflict");
        assertThat(activate(pool, 1).expect(200).json().path("generation").asInt())
                .isEqualTo(1);
        assertThat(activate(pool, 2).expect(201).json().path("generation").asInt())
                .isEqualTo(2);
        JsonNode back = operator.post(pool.path() + "/rollback", "").expect(201).json();
        assertThat(back.path("version").asInt()).isEqualTo(1);
        assertThat(back.path("kind").asString()).isEqualTo("rollback");
        operator.post(pool.path() + "/rollback", "").expectProblem(409, "conflict");
        JsonNode named = operator.post(pool.path() + "/rollback", "{\"version\":2,\"reason\":\"no, the other\"}")
                .expect(201)
                .json();
        assertThat(named.path("generation").asInt()).isEqualTo(4);
        assertThat(named.path("reason").asString()).isEqualTo("no, the other");
        activate(pool, 9).expectProblem(404, "not-found");
        operator.post(pool.path() + "/rollback", "{\"version\":9}").expectProblem(404, "not-found");
        assertThat(operator.get(pool.path() + "/activations")
                        .json()
                        .valueStream()
                        .map(activation -> activation.path("version").asInt()))
                .containsExactly(2, 1, 2, 1);
    }

    @Test
    void saysWhatWasActiveAtATime() {
        TestPool pool = withVersions(2);
        String first = activate(pool, 1).expect(201).json().path("activatedAt").asString();
        String second = activate(pool, 2).expect(201).json().path("activatedAt").asString();
        assertThat(at(pool, "2020-01-01T00:00:00Z")).isEmpty();
        assertThat(at(pool, first).get(0).path("version").asInt()).isEqualTo(1);
        assertThat(at(pool, second).get(0).path("version").asInt()).isEqualTo(2);
        assertThat(at(pool, "2099-01-01T00:00:00Z").get(0).path("version").asInt())
                .isEqualTo(2);
        operator.get(pool.path() + "/activations?at=yesterday").expectInvalid("at");
        operator.get(pool.path() + "/activations?at=%2B1000000-01-01T00:00:00Z").expectInvalid("at");
        operator.get(pool.path() + "/activations?at=-1000000-01-01T00:00:00Z").expectInvalid("at");
    }

    private JsonNode at(TestPool pool, String time) {
        return operator.get(pool.path() + "/activations?at=" + time).expect(200).json();
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                              | version
            {"version":null}                | version
            {"version":"1"}                 | version
            {"version":1.5}                 | version
            {"version":1,"reason":" "}      | reason
            {"version":1,"note":"x"}        | note
            {"version":99999999999}         | version
            {"version":1,"reason":7}        | reason
            {"version":1,"reason":true}     | reason
            {"version":2,"version":1}       | body
            """)
    void namesTheFieldThatItRefuses(String body, String field) {
        TestPool pool = withVersions(1);
        operator.post(pool.path() + "/activations", body).expectInvalid(field);
        assertThat(operator.get(pool.path() + "/activations").json()).isEmpty();
    }

    @Test
    void letsOneOfManyConcurrentCallersWinWhereTheySayWhatTheySaw() throws Exception {
        TestPool pool = withVersions(8);
        List<Integer> statuses = concurrently(
                8,
                i -> operator.post(
                                pool.path() + "/activations", "{\"version\":" + (i + 1) + ",\"expectedGeneration\":0}")
                        .status());
        assertThat(statuses).containsOnlyOnce(201);
        assertThat(statuses.stream().filter(status -> status == 409)).hasSize(7);
        assertThat(operator.get(pool.path() + "/activations").json()).hasSize(1);
    }

    @Test
    void numbersConcurrentActivationsWithoutGapsOrDoubles() throws Exception {
        TestPool pool = withVersions(8);
        concurrently(8, i -> activate(pool, i + 1).expect(201).status());
        assertThat(operator.get(pool.path() + "/activations")
                        .json()
                        .valueStream()
                        .map(activation -> activation.path("generation").asInt()))
                .containsExactly(8, 7, 6, 5, 4, 3, 2, 1);
        assertThat(server.as(TestToken.VIEWER)
                        .get("/v1/audit?pool=" + pool.name())
                        .json()
                        .valueStream()
                        .filter(entry -> entry.path("action").asString().equals("artifact.activate")))
                .hasSize(8);
    }

    private static List<Integer> concurrently(int callers, java.util.function.IntFunction<Integer> call)
            throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> calls = IntStream.range(0, callers)
                    .mapToObj(i -> threads.submit(() -> call.apply(i)))
                    .toList();
            List<Integer> results = new ArrayList<>();
            for (Future<Integer> each : calls) {
                results.add(each.get());
            }
            return results;
        }
    }
}
