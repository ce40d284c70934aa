package io.eldr.calibration.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.EventStream;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class EvaluationApiTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String SMALL =
            "\"rates\":[30],\"requests\":200,\"outputTokens\":20,\"prefillers\":2,\"seeds\":1";
    /** So much that no machine is done with it while a test looks. */
    private static final String ENDLESS = "{\"rates\":[30],\"requests\":1000000,\"seeds\":100,\"prefillers\":2}";

    private final TestServer server = TestServer.shared();
    private final ApiClient operator = server.as(TestToken.OPERATOR);
    private final ApiClient viewer = server.as(TestToken.VIEWER);

    private String ask(TestPool pool, String options) {
        return operator.post(pool.path() + "/evaluations", options).expect(202).header("Location");
    }

    @Test
    void comparesPoliciesAndTausOnTheActiveVersion() {
        TestPool pool = TestPool.create(server).withDecoders(2).withSamples(60);
        operator.refit(pool.name(), "{}");
        String location =
                ask(pool, "{\"policies\":[\"round-robin\",\"jsq\",\"eldr\"],\"tau\":[\"auto\",0,0.2]," + SMALL + "}");
        EventStream stream = viewer.events(location);
        JsonNode run = viewer.refitAt(location);

        assertThat(run.path("state").asString()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(run.path("progress").asDouble()).isEqualTo(1);
        assertThat(run.path("requestedBy").asString()).isEqualTo("operator");
        assertThat(run.at("/options/version").asInt()).isEqualTo(1);
        assertThat(run.at("/options/decoders").toString()).isEqualTo("[2]");
        assertThat(run.at("/report/basis").asString()).isEqualTo("version");
        JsonNode runs = run.at("/report/runs");
        assertThat(runs).hasSize(5);
        assertThat(runs.get(4).path("policy").asString()).isEqualTo("eldr");
        assertThat(runs.get(4).path("tau").asDouble()).isEqualTo(0.2);
        assertThat(runs.get(4).at("/tpotMs/p50").asDouble()).isPositive();
        assertThat(runs.get(4).at("/vsRoundRobinPct").has("p50")).isTrue();
        await().atMost(PATIENCE).until(stream::isOver);
        assertThat(stream.last().name()).isEqualTo("evaluation");
        assertThat(stream.last().data().at("/report/runs")).hasSize(5);
        JsonNode listed = viewer.get(pool.path() + "/evaluations").json();
        assertThat(listed).hasSize(1);
        assertThat(listed.get(0).has("report")).isFalse();
        assertThat(viewer.get("/v1/audit?pool=" + pool.name()).json().toString())
                .contains("evaluation.request");
    }

    @Test
    void fitsAnArtifactForEachOtherNumberOfDecoders() {
        TestPool pool = TestPool.create(server).withSamples(60);
        JsonNode run = viewer.refitAt(ask(pool, "{\"policies\":[\"eldr\"],\"decoders\":[2,4]," + SMALL + "}"));

        assertThat(run.path("state").asString()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/report/basis").asString()).isEqualTo("fitted");
        assertThat(run.at("/report/runs/0/decoders").asInt()).isEqualTo(2);
        assertThat(run.at("/report/runs/1/decoders").asInt()).isEqualTo(4);
    }

    @Test
    void whatTheSamplesDoNotAllowFailsWithTheReason() {
        TestPool pool = TestPool.create(server).withSamples(20);
        JsonNode tooMany = viewer.refitAt(ask(pool, "{\"decoders\":[11]," + SMALL + "}"));
        TestPool prompts = TestPool.create(server);
        server.as(TestToken.ADMIN)
                .postSamples(prompts.name(), TestPool.lines("p", 10, i -> false))
                .expect(200);
        JsonNode undecoded = viewer.refitAt(ask(prompts, "{\"decoders\":[2]," + SMALL + "}"));

        assertThat(tooMany.path("state").asString()).isEqualTo("FAILED");
        assertThat(tooMany.path("reason").asString()).contains("decoders: are 11, but only 10 of 20 requests");
        assertThat(undecoded.path("state").asString()).isEqualTo("FAILED");
        assertThat(undecoded.path("reason").asString()).contains("has decode tokens or decode counts");
    }

    @Test
    void isCancelledWhileItRunsAndMakesRoomForTheNext() {
        TestPool pool = TestPool.create(server).withSamples(40);
        String endless = ask(pool, ENDLESS.replace("}", ",\"decoders\":[2]}"));
        String waiting = ask(pool, "{\"decoders\":[2],\"policies\":[\"jsq\"]," + SMALL + "}");
        JsonNode cancelled;
        try {
            await().atMost(PATIENCE)
                    .until(() ->
                            viewer.get(endless).json().path("state").asString().equals("RUNNING"));
            assertThat(viewer.get(waiting).json().path("state").asString()).isEqualTo("QUEUED");
        } finally {
            // Whatever comes after it in this service would wait for ever.
            cancelled = operator.post(endless + "/cancel", "").expect(200).json();
        }

        assertThat(cancelled.path("state").asString()).isEqualTo("CANCELLED");
        assertThat(cancelled.path("reason").asString()).isEqualTo("cancelled by operator");
        assertThat(viewer.refitAt(waiting).path("state").asString()).isEqualTo("SUCCEEDED");
        operator.post(endless + "/cancel", "").expectProblem(409, "conflict");
        viewer.post(waiting + "/cancel", "").expectProblem(403, "forbidden");
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"policies":["nearest"]}        | policies
            {"policies":[]}                 | policies
            {"tau":["wide"]}                | tau
            {"decoders":[0]}                | decoders
            {"decoders":[]}                 | decoders
            {"prefillers":0}                | prefillers
            {"rates":[0]}                   | rate
            {"rates":[]}                    | rates
            {"arrivals":"../secret"}        | arrivals
            {"mix":"most"}                  | mix
            {"outputTokens":0}              | outputTokens
            {"requests":2000000}            | requests
            {"routers":0}                   | routers
            {"seeds":0}                     | seeds
            {"speed":1}                     | speed
            """)
    void namesTheFieldThatItRefuses(String options, String field) {
        TestPool pool = TestPool.create(server).withDecoders(2).withSamples(10);

        operator.post(pool.path() + "/evaluations", options).expectInvalid(field);
    }

    @Test
    void refusesWhatHasNothingToStandOn() {
        TestPool pool = TestPool.create(server);
        operator.post(pool.path() + "/evaluations", "{}").expectProblem(409, "conflict");
        operator.post(pool.path() + "/evaluations", "{\"decoders\":[2]}").expectProblem(409, "conflict");
        operator.post(pool.path() + "/evaluations", "{\"version\":7}").expectProblem(404, "not-found");
        viewer.post(pool.path() + "/evaluations", "{}").expectProblem(403, "forbidden");
        viewer.get(pool.path() + "/evaluations/999999").expectProblem(404, "not-found");
    }
}
