package io.eldr.calibration.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class PoolApiTest {
    private final ApiClient admin = TestServer.shared().as(TestToken.ADMIN);

    @Test
    void makesAPoolAndShowsIt() {
        String name = "made-" + UUID.randomUUID();
        ApiClient.Answer made = admin.post("/v1/pools", """
                        {"name":"%s","model":"org/model:x","layers":48,"experts":128,"topK":8,"aliases":["m","n"],
                         "policy":"jsq","tau":0.25,"minCandidates":2}""".formatted(name)).expect(201);
        assertThat(made.header("Location")).isEqualTo("/v1/pools/" + name);
        JsonNode pool = admin.get(made.header("Location")).expect(200).json();
        assertThat(pool).isEqualTo(made.json());
        assertThat(pool.path("aliases").toString()).isEqualTo("[\"m\",\"n\"]");
        assertThat(pool.path("tau").asDouble()).isEqualTo(0.25);
        assertThat(pool.path("minCandidates").asInt()).isEqualTo(2);
        assertThat(pool.path("policy").asString()).isEqualTo("jsq");
        assertThat(pool.has("revision")).isFalse();
        assertThat(admin.get("/v1/pools").expect(200).json().toString()).contains("\"" + name + "\"");
        admin.post(
                        "/v1/pools",
                        "{\"name\":\"%s\",\"model\":\"m\",\"layers\":1,\"experts\":1,\"topK\":1}".formatted(name))
                .expectProblem(409, "conflict");
    }

    @Test
    void changesWhatIsNamedAndLeavesTheRest() {
        TestPool pool = TestPool.create(TestServer.shared());
        admin.patch(pool.path(), "{\"tau\":0.5,\"minCandidates\":3,\"policy\":\"p2c\"}")
                .expect(200);
        admin.patch(pool.path(), "{\"pinned\":true,\"mode\":\"propose\"}").expect(200);
        JsonNode changed = admin.get(pool.path()).json();
        assertThat(changed.path("tau").asDouble()).isEqualTo(0.5);
        assertThat(changed.path("minCandidates").asInt()).isEqualTo(3);
        assertThat(changed.path("policy").asString()).isEqualTo("p2c");
        assertThat(changed.path("pinned").asBoolean()).isTrue();
        assertThat(changed.path("mode").asString()).isEqualTo("propose");
        JsonNode reset = admin.patch(pool.path(), "{\"tau\":\"auto\",\"minCandidates\":null,\"pinned\":false}")
                .expect(200)
                .json();
        assertThat(reset.path("tau").asString()).isEqualTo("auto");
        assertThat(reset.has("minCandidates")).isFalse();
        assertThat(reset.path("pinned").asBoolean()).isFalse();
        assertThat(reset.path("policy").asString()).isEqualTo("p2c");
    }

    @Test
    void setsAndClearsWhatATrialNeeds() {
        TestPool pool = TestPool.create(TestServer.shared());
        JsonNode set = admin.patch(pool.path(), """
                        {"policy":"domain","hot":{"factor":2},"shadow":{"policy":"eldr","tau":0.2},
                         "switchback":{"policies":["eldr","jsq"],"minutes":30}}""").expect(200).json();
        assertThat(set.path("policy").asString()).isEqualTo("domain");
        assertThat(set.path("hot").toString()).isEqualTo("{\"factor\":2.0,\"minExcess\":4,\"kvCap\":0.95}");
        assertThat(set.path("shadow").toString()).isEqualTo("{\"policy\":\"eldr\",\"tau\":0.2}");
        assertThat(set.path("switchback").toString()).isEqualTo("{\"policies\":[\"eldr\",\"jsq\"],\"minutes\":30}");
        assertThat(admin.patch(pool.path(), "{\"tau\":0.1}").json().has("shadow"))
                .isTrue();
        JsonNode cleared = admin.patch(pool.path(), "{\"hot\":null,\"shadow\":null,\"switchback\":null}")
                .expect(200)
                .json();
        assertThat(cleared.has("hot") || cleared.has("shadow") || cleared.has("switchback"))
                .isFalse();
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"hot":1}                                                      | hot
            {"hot":{"factor":0.5}}                                         | hot.factor
            {"hot":{"factor":"2"}}                                         | hot.factor
            {"hot":{"minExcess":1.5}}                                      | hot.minExcess
            {"hot":{"kvCap":2}}                                            | hot.kvCap
            {"hot":{"colour":1}}                                           | hot.colour
            {"shadow":{}}                                                  | shadow.policy
            {"shadow":{"policy":"best"}}                                   | shadow.policy
            {"shadow":{"policy":"eldr","tau":3}}                           | shadow.tau
            {"shadow":"eldr"}                                              | shadow
            {"switchback":{"policies":["eldr","eldr"],"minutes":5}}        | switchback.policies
            {"switchback":{"policies":["eldr"],"minutes":5}}               | switchback.policies
            {"switchback":{"policies":["eldr",1],"minutes":5}}             | switchback.policies[1]
            {"switchback":{"policies":["eldr","jsq"]}}                     | switchback.minutes
            {"switchback":{"policies":["eldr","jsq"],"minutes":0}}         | switchback.minutes
            """)
    void namesTheSettingThatItRefusesAndChangesNothing(String change, String field) {
        TestPool pool = TestPool.create(TestServer.shared());
        String before = admin.get(pool.path()).json().toString();
        admin.patch(pool.path(), change).expectInvalid(field);
        assertThat(admin.get(pool.path()).json()).hasToString(before);
    }

    @Test
    void givesTheNameOfADeletedPoolFree() {
        TestPool pool = TestPool.create(TestServer.shared()).withDecoders(1).withSamples(4);
        admin.delete(pool.path()).expect(204);
        admin.get(pool.path()).expectProblem(404, "not-found");
        admin.get(pool.path() + "/samples").expectProblem(404, "not-found");
        admin.post(
                        "/v1/pools",
                        "{\"name\":\"%s\",\"model\":\"m\",\"layers\":1,\"experts\":1,\"topK\":1}"
                                .formatted(pool.name()))
                .expect(201);
        assertThat(admin.get(pool.path() + "/samples").json().path("count").asInt())
                .isZero();
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"model":"m","layers":1,"experts":1,"topK":1}                                     | name
            {"name":null,"model":"m","layers":1,"experts":1,"topK":1}                         | name
            {"name":"../x","model":"m","layers":1,"experts":1,"topK":1}                       | name
            {"name":"a b","model":"m","layers":1,"experts":1,"topK":1}                        | name
            {"name":"p","layers":1,"experts":1,"topK":1}                                      | model
            {"name":"p","model":" ","layers":1,"experts":1,"topK":1}                          | model
            {"name":"p","model":"m","experts":1,"topK":1}                                     | layers
            {"name":"p","model":"m","layers":0,"experts":1,"topK":1}                          | layers
            {"name":"p","model":"m","layers":-3,"experts":1,"topK":1}                         | layers
            {"name":"p","model":"m","layers":1.5,"experts":1,"topK":1}                        | layers
            {"name":"p","model":"m","layers":"many","experts":1,"topK":1}                     | layers
            {"name":"p","model":"m","layers":99999999999999,"experts":1,"topK":1}             | layers
            {"name":"p","model":"m","layers":1,"experts":5000,"topK":1}                       | experts
            {"name":"p","model":"m","layers":1,"experts":4,"topK":5}                          | topK
            {"name":"p","model":"m","layers":1,"experts":4,"topK":1,"colour":"red"}           | colour
            {"name":"p","model":"m","layers":1,"experts":4,"topK":1,"tau":"wide"}             | tau
            {"name":"p","model":"m","layers":1,"experts":4,"topK":1,"tau":-1}                 | tau
            {"name":"p","model":"m","layers":1,"experts":4,"topK":1,"tau":3}                  | tau
            {"name":"p","model":"m","layers":1,"experts":4,"topK":1,"tau":true}               | tau
            {"name":"p","model":"m","layers":1,"experts":4,"topK":1,"policy":"best"}          | policy
            {"name":"p","model":"m","layers":1,"experts":4,"topK":1,"minCandidates":0}        | minCandidates
            {"name":"p","model":"m","layers":1,"experts":4,"topK":1,"aliases":["a","a"]}      | aliases
            {"name":"p","model":"m","layers":1,"experts":4,"topK":1,"aliases":[null]}         | aliases
            {"name":"p","model":"m","layers":1,"experts":4,"topK":1,"aliases":["a\\u0000"]}   | aliases
            {"name":"p","model":"m","layers":1,"experts":4,"topK":1,"aliases":"a"}            | aliases
            {"name":"p","model":"m","layers":1,"experts":4,"topK":1,"dialect":"sglang"}       | dialect
            {"name":"p","model":"m","layers":1,"experts":4,"topK":1,"engineModel":" "}        | engineModel
            {"name":"p","model":"m","layers":1,"experts":4,"topK":1,"adapters":["a","a"]}     | adapters
            {"name":"p"                                                                       | body
            []                                                                                | body
            nonsense                                                                          | body
            {"name":"p","model":"m","layers":NaN,"experts":1,"topK":1}                        | body
            {"name":"p","model":"m","layers":1,"experts":1,"topK":1} {}                       | body
            """)
    void namesTheFieldThatItRefuses(String body, String field) {
        admin.post("/v1/pools", body).expectInvalid(field);
    }

    @Test
    void refusesWhatIsNoJsonOrTooLarge() {
        admin.post("/v1/pools", "text/plain", java.net.http.HttpRequest.BodyPublishers.ofString("{}"))
                .expectProblem(415, "unsupported-media-type");
        admin.post("/v1/pools", "").expectInvalid("body");
        admin.post("/v1/pools", "{\"name\":\"" + "x".repeat(300_000) + "\"}").expectProblem(413, "too-large");
        admin.post(
                        "/v1/pools",
                        "application/json",
                        java.net.http.HttpRequest.BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(
                                ("{\"name\":\"" + "x".repeat(300_000) + "\"}").getBytes(StandardCharsets.UTF_8))))
                .expectProblem(413, "too-large");
        admin.put("/v1/pools", "{}").expectProblem(405, "method-not-allowed");
    }
}
