package io.eldr.calibration.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class WorkerApiTest {
    private static final String BODY = "{\"role\":\"decode\",\"url\":\"http://127.0.0.1:8000\"}";

    private final ApiClient operator = TestServer.shared().as(TestToken.OPERATOR);
    private final TestPool pool = TestPool.create(TestServer.shared());
    private final String workers = pool.path() + "/workers";

    @Test
    void declaresAWorkerAndDeclaresItAnew() {
        JsonNode made = operator.put(workers + "/d-0", BODY).expect(201).json();
        assertThat(made.path("weight").asDouble()).isEqualTo(1);
        assertThat(made.path("probe").asString()).isEqualTo("http");
        assertThat(made.path("desiredState").asString()).isEqualTo("serving");
        JsonNode again = operator.put(workers + "/d-0", """
                        {"role":"prefill","url":"https://h.example","weight":2.5,"maxInFlight":64,"probe":"none",
                         "revision":"r1"}""").expect(200).json();
        assertThat(again.path("role").asString()).isEqualTo("prefill");
        assertThat(again.path("maxInFlight").asInt()).isEqualTo(64);
        assertThat(operator.get(workers).expect(200).json()).hasSize(1);
        operator.delete(workers + "/d-0").expect(204);
        operator.delete(workers + "/d-0").expectProblem(404, "not-found");
        assertThat(operator.get(workers).json()).isEmpty();
    }

    @Test
    void drainsAWorkerAndLetsItServeAgain() {
        operator.put(workers + "/d-0", BODY).expect(201);
        assertThat(operator.post(workers + "/d-0/drain", "")
                        .expect(200)
                        .json()
                        .path("desiredState")
                        .asString())
                .isEqualTo("draining");
        operator.put(workers + "/d-0", BODY).expect(200);
        assertThat(operator.get(workers).json().get(0).path("desiredState").asString())
                .as("a drain goes on when the worker is declared anew")
                .isEqualTo("draining");
        assertThat(operator.post(workers + "/d-0/resume", "")
                        .expect(200)
                        .json()
                        .path("desiredState")
                        .asString())
                .isEqualTo("serving");
        operator.post(workers + "/d-9/drain", "").expectProblem(404, "not-found");
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"url":"http://h"}                                       | role
            {"role":"router","url":"http://h"}                       | role
            {"role":"DECODE","url":"http://h"}                       | role
            {"role":"decode"}                                        | url
            {"role":"decode","url":"h:80"}                           | url
            {"role":"decode","url":"/relative"}                      | url
            {"role":"decode","url":"ftp://h"}                        | url
            {"role":"decode","url":"file:///etc/passwd"}             | url
            {"role":"decode","url":"http://user:secret@h"}           | url
            {"role":"decode","url":"http://h","weight":0}            | weight
            {"role":"decode","url":"http://h","weight":-1}           | weight
            {"role":"decode","url":"http://h","weight":1e300}        | weight
            {"role":"decode","url":"http://h","weight":NaN}          | body
            {"role":"decode","url":"http://h","maxInFlight":0}       | maxInFlight
            {"role":"decode","url":"http://h","maxInFlight":1.5}     | maxInFlight
            {"role":"decode","url":"http://h","probe":"tcp"}         | probe
            {"role":"decode","url":"http://h","extra":1}             | extra
            """)
    void namesTheFieldThatItRefuses(String body, String field) {
        operator.put(workers + "/d-0", body).expectInvalid(field);
        assertThat(operator.get(workers).json()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-a",
                "a%20b",
                "%2e%2e",
                "a%0ab",
                "ä",
                "0123456789012345678901234567890123456789012345678901234567890123"
            })
    void refusesSlotsOutsideTheAlphabet(String slot) {
        ApiClient.Answer answer = operator.put(workers + "/" + slot.replace("ä", "%C3%A4"), BODY);
        assertThat(answer.status()).isIn(400, 404);
        assertThat(operator.get(workers).json()).isEmpty();
    }
}
