package io.eldr.calibration.refit;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Versions that wait for somebody to approve them. */
class RefitProposalApiTest {
    private final TestServer server = TestServer.shared();
    private final ApiClient operator = server.as(TestToken.OPERATOR);
    private final ApiClient admin = server.as(TestToken.ADMIN);

    private TestPool pool(String change) {
        TestPool pool = TestPool.create(server).withDecoders(2).withSamples(40);
        admin.patch(pool.path(), change).expect(200);
        return pool;
    }

    private String proposal(TestPool pool, int seed) {
        JsonNode run = operator.refit(pool.name(), "{\"seed\":" + seed + "}");
        assertThat(run.path("proposed").asBoolean()).as(run.toString()).isTrue();
        return pool.path() + "/refits/" + run.path("id").asLong();
    }

    private boolean proposed(String location) {
        return operator.get(location).json().path("proposed").asBoolean();
    }

    private String refusal(String path, String body) {
        return operator.post(path, body)
                .expectProblem(409, "conflict")
                .json()
                .path("detail")
                .asString();
    }

    @Test
    void isActivatedWhenItIsApprovedAndOnlyOnce() {
        TestPool pool = pool("{\"mode\":\"propose\"}");
        String location = proposal(pool, 1);
        operator.get(pool.path() + "/activations/current").expectProblem(404, "not-found");
        assertThat(refusal(location + "/approve", "{\"expectedGeneration\":7}")).contains("generation 0");
        JsonNode approved = operator.post(location + "/approve", "{\"expectedGeneration\":0}")
                .expect(200)
                .json();
        assertThat(approved.path("proposed").asBoolean()).isFalse();
        JsonNode current = operator.get(pool.path() + "/activations/current").json();
        assertThat(current.path("version").asInt()).isEqualTo(1);
        assertThat(current.path("actor").asString()).isEqualTo("operator");
        assertThat(current.path("reason").asString()).contains("was approved");
        assertThat(refusal(location + "/approve", "")).contains("Version 1 is active already");
        assertThat(operator.get("/v1/audit?pool=" + pool.name()).json().toString())
                .contains("refit.approve")
                .contains("artifact.activate");
    }

    @Test
    void isOvertakenByANewerVersion() {
        TestPool pool = pool("{\"mode\":\"propose\"}");
        String first = proposal(pool, 1);
        String second = proposal(pool, 2);
        operator.post(second + "/approve", "").expect(200);
        assertThat(proposed(first)).isFalse();
        assertThat(refusal(first + "/approve", "")).contains("Version 2").contains("newer than 1");
        assertThat(refusal(first + "/dismiss", "")).contains("Version 2");
    }

    @Test
    void isDismissedForGoodButNotForTheHand() {
        TestPool pool = pool("{\"mode\":\"propose\"}");
        String location = proposal(pool, 1);
        assertThat(operator.post(location + "/dismiss", "")
                        .expect(200)
                        .json()
                        .path("proposed")
                        .asBoolean())
                .isFalse();
        assertThat(refusal(location + "/approve", "")).contains("DISMISSED");
        operator.post(pool.path() + "/activations", "{\"version\":1}").expect(201);
        assertThat(operator.get("/v1/audit?pool=" + pool.name()).json().toString())
                .contains("refit.dismiss");
    }

    @Test
    void waitsInAPinnedPoolTooAndIsNotActivatedByUnpinning() {
        TestPool pool = pool("{\"pinned\":true}");
        String location = proposal(pool, 1);
        admin.patch(pool.path(), "{\"pinned\":false}").expect(200);
        operator.get(pool.path() + "/activations/current").expectProblem(404, "not-found");
        operator.post(location + "/approve", "").expect(200);
        operator.get(pool.path() + "/activations/current").expect(200);
    }

    @Test
    void isNothingWhereTheVersionWasActivatedByItselfOrThereIsNone() {
        TestPool pool = pool("{\"tau\":0.5}");
        JsonNode run = operator.refit(pool.name(), "{}");
        assertThat(run.path("proposed").asBoolean()).isFalse();
        String location = pool.path() + "/refits/" + run.path("id").asLong();
        assertThat(refusal(location + "/dismiss", "")).contains("active already");
        JsonNode rejected = operator.refit(pool.name(), "{}");
        assertThat(refusal(pool.path() + "/refits/" + rejected.path("id").asLong() + "/approve", ""))
                .contains("made no version");
        operator.post(pool.path() + "/refits/999999/approve", "").expectProblem(404, "not-found");
    }
}
