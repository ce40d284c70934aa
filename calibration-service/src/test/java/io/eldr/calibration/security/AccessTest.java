package io.eldr.calibration.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AccessTest {
    private static final TestServer SERVER = TestServer.shared();
    private static final Set<TestToken> EVERYBODY = EnumSet.allOf(TestToken.class);

    /** An operation of the API as its description has it, and who may call it. */
    record Operation(String method, String path) {
        Set<TestToken> callers() {
            if (method.equals("GET")) {
                return EnumSet.of(TestToken.VIEWER, TestToken.OPERATOR, TestToken.ADMIN, TestToken.UI);
            }
            if (path.endsWith("/samples") || path.endsWith("/observations")) {
                return EnumSet.of(TestToken.CLIENT, TestToken.OPERATOR, TestToken.ADMIN, TestToken.UI);
            }
            if (method.equals("POST") && path.endsWith("/refits")) {
                // By hand: a client is refused where the body is known.
                return EnumSet.of(TestToken.OPERATOR, TestToken.ADMIN, TestToken.UI);
            }
            if (method.equals("PATCH")) {
                // What is for admins alone is refused where the body is known.
                return EnumSet.of(TestToken.OPERATOR, TestToken.ADMIN, TestToken.UI);
            }
            return path.equals("/v1/pools") || path.equals("/v1/pools/{pool}")
                    ? EnumSet.of(TestToken.ADMIN, TestToken.UI)
                    : EnumSet.of(TestToken.OPERATOR, TestToken.ADMIN, TestToken.UI);
        }

        /** On a pool that does not exist, so that a caller who is let in changes nothing. */
        String call() {
            return path.replace("{pool}", "nobody").replace("{slot}", "s").replaceAll("\\{.*?}", "1");
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    static Stream<Operation> operations() {
        return SERVER
                .as(TestToken.VIEWER)
                .get("/v1/openapi.json")
                .expect(200)
                .json()
                .path("paths")
                .properties()
                .stream()
                .flatMap(path -> path.getValue().propertyNames().stream()
                        .map(method -> new Operation(method.toUpperCase(Locale.ROOT), path.getKey())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("operations")
    void letsInOnlyWhoMayCallIt(Operation operation) {
        assertThat(operation.path()).startsWith("/v1/");
        ApiClient.send(HttpRequest.newBuilder(uri(operation.call()))
                        .method(operation.method(), HttpRequest.BodyPublishers.noBody()))
                .expectProblem(401, "unauthorized");
        ApiClient.send(HttpRequest.newBuilder(uri(operation.call()))
                        .header("Authorization", "Bearer guessed")
                        .method(operation.method(), HttpRequest.BodyPublishers.noBody()))
                .expectProblem(401, "unauthorized");
        for (TestToken token : EVERYBODY) {
            ApiClient.Answer answer = ApiClient.send(SERVER.as(token)
                    .request(operation.call())
                    .method(operation.method(), HttpRequest.BodyPublishers.noBody()));
            if (operation.callers().contains(token)) {
                assertThat(answer.status())
                        .as("%s as %s", operation, token)
                        .isNotIn(401, 403)
                        .isLessThan(500);
            } else {
                answer.expectProblem(403, "forbidden");
            }
        }
    }

    @Test
    void describesEveryEndpointOfTheContract() {
        assertThat(operations().map(Operation::toString))
                .contains(
                        "POST /v1/pools",
                        "GET /v1/pools",
                        "PATCH /v1/pools/{pool}",
                        "DELETE /v1/pools/{pool}",
                        "PUT /v1/pools/{pool}/workers/{slot}",
                        "DELETE /v1/pools/{pool}/workers/{slot}",
                        "POST /v1/pools/{pool}/samples",
                        "GET /v1/pools/{pool}/samples",
                        "POST /v1/pools/{pool}/refits",
                        "GET /v1/pools/{pool}/refits/{id}",
                        "GET /v1/pools/{pool}/refits/{id}/events",
                        "POST /v1/pools/{pool}/refits/{id}/cancel",
                        "POST /v1/pools/{pool}/refits/{id}/approve",
                        "POST /v1/pools/{pool}/refits/{id}/dismiss",
                        "POST /v1/pools/{pool}/artifacts",
                        "GET /v1/pools/{pool}/artifacts/{version}",
                        "GET /v1/pools/{pool}/artifacts/{version}/binary",
                        "GET /v1/pools/{pool}/artifacts/{version}/router.json",
                        "POST /v1/pools/{pool}/activations",
                        "POST /v1/pools/{pool}/rollback",
                        "GET /v1/pools/{pool}/activations",
                        "GET /v1/pools/{pool}/activations/current",
                        "GET /v1/audit");
    }

    @Test
    void letsOnlyAdminsForceARefit() {
        TestPool pool = TestPool.create(SERVER).withDecoders(2).withSamples(8);
        SERVER.as(TestToken.OPERATOR)
                .post(pool.path() + "/refits", "{\"force\":true}")
                .expectProblem(403, "forbidden");
        assertThat(SERVER.as(TestToken.VIEWER).get(pool.path() + "/refits").json())
                .isEmpty();
    }

    @Test
    void operatorsChangeHowAPoolRoutesAndAdminsTheRest() {
        TestPool pool = TestPool.create(SERVER);
        SERVER.as(TestToken.OPERATOR)
                .patch(
                        pool.path(),
                        "{\"policy\":\"jsq\",\"tau\":0.2,\"minCandidates\":2,\"shadow\":{\"policy\":\"eldr\"}}")
                .expect(200);
        for (String change : new String[] {
            "{\"policy\":\"eldr\",\"pinned\":true}",
            "{\"mode\":\"propose\"}",
            "{\"engineModel\":null}",
            "{\"retention\":{\"maxSamples\":1}}",
            "{\"aliases\":[]}"
        }) {
            SERVER.as(TestToken.OPERATOR).patch(pool.path(), change).expectProblem(403, "forbidden");
        }
        assertThat(SERVER.as(TestToken.VIEWER)
                        .get(pool.path())
                        .json()
                        .path("policy")
                        .asString())
                .as("nothing is half changed")
                .isEqualTo("jsq");
    }

    @Test
    void answersNobodyOnPathsThatDoNotExist() {
        for (String path :
                new String[] {"/", "/index.html", "/actuator/health", "/actuator/env", "/v2/pools", "/error"}) {
            ApiClient.send(HttpRequest.newBuilder(uri(path))).expectProblem(403, "forbidden");
            SERVER.as(TestToken.ADMIN).get(path).expectProblem(403, "forbidden");
        }
        SERVER.as(TestToken.ADMIN).get("/v1/nothing").expectProblem(404, "not-found");
    }

    @Test
    void keepsHealthAndMetricsOpenAndNothingElse() {
        ApiClient.send(HttpRequest.newBuilder(uri("/livez"))).expect(200);
        ApiClient.send(HttpRequest.newBuilder(uri("/readyz"))).expect(200);
        String management = "http://127.0.0.1:" + SERVER.managementPort();
        ApiClient.send(HttpRequest.newBuilder(URI.create(management + "/actuator/health")))
                .expect(200);
        ApiClient.send(HttpRequest.newBuilder(URI.create(management + "/actuator/prometheus")))
                .expect(200);
        assertThat(ApiClient.send(HttpRequest.newBuilder(URI.create(management + "/actuator/env")))
                        .status())
                .isIn(401, 403, 404);
        assertThat(ApiClient.send(HttpRequest.newBuilder(URI.create(management + "/v1/pools")))
                        .status())
                .isIn(401, 403, 404);
    }

    private static URI uri(String path) {
        return URI.create("http://127.0.0.1:" + SERVER.port() + path);
    }
}
