package io.eldr.calibration.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class PlacementApiTest {
    private static final ApiClient OPERATOR = TestServer.shared().as(TestToken.OPERATOR);
    private static TestPool pool;

    @BeforeAll
    static void fit() {
        pool = TestPool.create(TestServer.shared()).withDecoders(4).withSamples(80);
        assertThat(OPERATOR.refit(pool.name(), "{}").path("state").asString()).isEqualTo("SUCCEEDED");
    }

    @Test
    void everyDecoderKeepsEachExpertOnceAndIsPredictedToBeNoLessEvenThanInOrder() {
        ApiClient.Answer answer = ask("?ranks=4").expect(200);
        assertThat(answer.header("Content-Disposition"))
                .isEqualTo("attachment; filename=\"" + pool.name() + "-1-placement-4.json\"");
        JsonNode placement = answer.json();
        assertThat(placement.path("ranks").asInt()).isEqualTo(4);
        assertThat(placement.path("batch").asInt()).isEqualTo(32);
        assertThat(placement.path("layers").asInt()).isEqualTo(4);
        assertThat(placement
                        .path("decoders")
                        .valueStream()
                        .map(decoder -> decoder.path("decoder").asString()))
                .containsExactly("decoder-0", "decoder-1", "decoder-2", "decoder-3");
        for (JsonNode decoder : placement.path("decoders")) {
            assertThat(decoder.path("layout")).hasSize(4);
            for (JsonNode layer : decoder.path("layout")) {
                assertThat(layer.valueStream().map(JsonNode::asInt))
                        .containsExactlyInAnyOrderElementsOf(
                                IntStream.range(0, 8).boxed().toList());
            }
        }
        JsonNode loads = placement.path("maxToMeanLoad");
        assertThat(loads.path("perDecoder").asDouble())
                .isBetween(1.0, loads.path("contiguous").asDouble());
        assertThat(loads.path("global").asDouble()).isGreaterThanOrEqualTo(1);
    }

    @Test
    void aCallerThatHasTheFileIsToldSo() {
        String etag = ask("?ranks=2&batch=8").expect(200).header("ETag");
        assertThat(ask("?ranks=2&batch=8").header("ETag")).isEqualTo(etag);
        assertThat(ask("?ranks=4&batch=8").header("ETag")).isNotEqualTo(etag);
        for (String known : new String[] {etag, "*", "\"other\", " + etag}) {
            ApiClient.send(OPERATOR.request(path("?ranks=2&batch=8")).header("If-None-Match", known))
                    .expect(304);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "'', ranks",
        "?ranks=0, ranks",
        "?ranks=-1, ranks",
        "?ranks=3, ranks",
        "?ranks=16, ranks",
        "?ranks=two, ranks",
        "?ranks=2&batch=0, batch",
        "?ranks=2&batch=5000, batch"
    })
    void refusesRanksAndBatchesThatMakeNoSense(String query, String field) {
        ask(query).expectInvalid(field);
    }

    @Test
    void saysThatThereIsNoSuchVersionOrThatItKnowsNothingOfDecoding() {
        OPERATOR.get(pool.path() + "/artifacts/9/placement?ranks=2").expectProblem(404, "not-found");
        OPERATOR.get("/v1/pools/nobody/artifacts/1/placement?ranks=2").expectProblem(404, "not-found");
        byte[] file = OPERATOR.get(pool.path() + "/artifacts/1/router.json")
                .expect(200)
                .response()
                .body();
        TestPool importing = TestPool.create(TestServer.shared()).withDecoders(4);
        OPERATOR.post(importing.path() + "/artifacts", "application/json", BodyPublishers.ofByteArray(file))
                .expect(201);
        OPERATOR.get(importing.path() + "/artifacts/1/placement?ranks=2").expectProblem(409, "conflict");
    }

    private static ApiClient.Answer ask(String query) {
        return OPERATOR.get(path(query));
    }

    private static String path(String query) {
        return pool.path() + "/artifacts/1/placement" + query;
    }
}
