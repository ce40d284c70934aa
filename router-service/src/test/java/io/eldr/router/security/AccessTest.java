package io.eldr.router.security;

import static io.eldr.router.testing.SharedRouter.ROUTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.router.testing.TestRouter;
import io.eldr.router.testing.TestRouter.Answer;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.server.PathContainer;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.pattern.PathPattern;

/** Who may call what, over every endpoint there is. */
class AccessTest {

    enum Need {
        CLIENT,
        VIEWER
    }

    static Stream<Arguments> endpoints() {
        return Stream.of(
                Arguments.of("POST", "/v1/route", Need.CLIENT),
                Arguments.of("POST", "/v1/reservations/x/close", Need.CLIENT),
                Arguments.of("POST", "/v1/reservations/x/renew", Need.CLIENT),
                Arguments.of("POST", "/v1/reservations/x/reassign", Need.CLIENT),
                Arguments.of("POST", "/v1/reservations/other-router.0123456789abcdef/close", Need.CLIENT),
                Arguments.of("DELETE", "/v1/reservations/x", Need.CLIENT),
                Arguments.of("PUT", "/v1/pools/x/clients/y", Need.CLIENT),
                Arguments.of("GET", "/v1/pools/x/clients", Need.VIEWER),
                Arguments.of("GET", "/v1/decisions/x", Need.VIEWER),
                Arguments.of("GET", "/v1/pools", Need.VIEWER),
                Arguments.of("GET", "/v1/pools/x/decoders", Need.VIEWER),
                Arguments.of("GET", "/v1/pools/x/prefillers", Need.VIEWER),
                Arguments.of("GET", "/v1/pools/x/artifact", Need.VIEWER),
                Arguments.of("GET", "/v1/pools/x/map", Need.VIEWER),
                Arguments.of("GET", "/v1/pools/x/shadow", Need.VIEWER),
                Arguments.of("GET", "/v1/pools/x/switchback", Need.VIEWER),
                Arguments.of("GET", "/v1/openapi.json", Need.VIEWER));
    }

    private static final Set<String> DATA_PLANE = Set.of("/v1/chat/completions", "/v1/completions", "/v1/models");

    @ParameterizedTest
    @MethodSource("endpoints")
    void anEndpointAnswersItsRoleAndNobodyElse(String method, String path, Need need) {
        Answer without = call(method, path, Optional.empty());
        assertThat(without.status()).isEqualTo(401);
        assertThat(without.json().path("type").asString()).isEqualTo("https://eldr.io/problems/unauthorized");
        assertThat(without.response().headers().firstValue("WWW-Authenticate")).isPresent();
        for (String unknown : List.of("nonsense", "", "a b", "\u00e9")) {
            assertThat(call(method, path, Optional.of(unknown)).status())
                    .as(unknown)
                    .isEqualTo(401);
        }
        String wrong = need == Need.CLIENT ? TestRouter.VIEWER : TestRouter.CLIENT;
        Answer forbidden = call(method, path, Optional.of(wrong));
        assertThat(forbidden.status()).isEqualTo(403);
        assertThat(forbidden.json().path("type").asString()).isEqualTo("https://eldr.io/problems/forbidden");
        String right = need == Need.CLIENT ? TestRouter.CLIENT : TestRouter.VIEWER;
        assertThat(call(method, path, Optional.of(right)).status()).isNotIn(401, 403);
        assertThat(call(method, path, Optional.of(TestRouter.OPERATOR)).status())
                .isNotIn(401, 403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/livez", "/readyz", "/", "/comparison.js", "/status.js", "/status.css", "/favicon.svg"})
    void whatIsOpenNeedsNoToken(String path) {
        // A router that just started is not ready yet.
        await().untilAsserted(() ->
                assertThat(call("GET", path, Optional.empty()).status()).isEqualTo(200));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/v2/route", "/actuator/health", "/actuator", "/admin", "/v1/../livez", "/application.yaml"})
    void whatIsNotNamedIsClosed(String path) {
        assertThat(call("GET", path, Optional.empty()).status()).isIn(400, 401);
        assertThat(call("GET", path, Optional.of(TestRouter.OPERATOR)).status()).isIn(400, 403);
    }

    @Test
    void everyEndpointOfTheApiIsInThisTest() {
        List<PathPattern> patterns =
                ROUTER.bean(RequestMappingHandlerMapping.class).getHandlerMethods().keySet().stream()
                        .flatMap(info -> info.getPatternsCondition().getPatterns().stream())
                        .filter(pattern -> pattern.getPatternString().startsWith("/v1/"))
                        .filter(pattern -> !pattern.getPatternString().contains("openapi"))
                        // They take API keys instead of tokens: DoorTest.
                        .filter(pattern -> !DATA_PLANE.contains(pattern.getPatternString()))
                        .distinct()
                        .toList();
        assertThat(patterns)
                .isNotEmpty()
                .allSatisfy(pattern -> assertThat(endpoints()
                                .map(arguments -> (String) arguments.get()[1])
                                .filter(path -> pattern.matches(PathContainer.parsePath(path))))
                        .as(pattern.getPatternString())
                        .isNotEmpty());
    }

    private static Answer call(String method, String path, Optional<String> token) {
        return ROUTER.send(ROUTER.request(path, token)
                .header("Content-Type", "application/json")
                .method(
                        method,
                        method.equals("POST")
                                ? HttpRequest.BodyPublishers.ofString("{}")
                                : HttpRequest.BodyPublishers.noBody()));
    }
}
