package io.eldr.router.security;

import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.router.testing.TestRouter;
import io.eldr.router.testing.TestRouter.Answer;
import io.eldr.service.testing.TestIssuer;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** Tokens of an OIDC provider, which is away when the router starts. Who may call what with which role: AccessTest. */
class JwtTest {
    private static final TestIssuer ISSUER = TestIssuer.start();
    private static final JsonMapper JSON = JsonMapper.shared();

    private static TestRouter router;

    @BeforeAll
    static void startWhileTheProviderIsAway() {
        ISSUER.away(true);
        List<String> properties = new ArrayList<>(ISSUER.properties());
        properties.add("management.server.port=-1");
        properties.add("springdoc.api-docs.enabled=false");
        router = TestRouter.start(TestRouter.NO_DATABASE, properties.toArray(String[]::new));
        String token = ISSUER.token("ada", "viewer");

        Answer unchecked = get("/v1/pools", token);
        assertThat(unchecked.status()).as(unchecked.text()).isEqualTo(503);
        assertThat(unchecked.json().path("type").asString()).isEqualTo("https://eldr.io/problems/unavailable");
        assertThat(unchecked.json().path("detail").asString()).contains("OIDC provider");
        assertThat(unchecked.response().headers().firstValue("Retry-After")).isPresent();
        assertThat(get("/v1/pools", TestRouter.VIEWER).status()).isEqualTo(200);
        assertThat(route(TestRouter.CLIENT).status()).isEqualTo(404);

        ISSUER.away(false);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> get("/v1/pools", token).status() == 200);
    }

    @AfterAll
    static void stop() {
        router.close();
        ISSUER.close();
    }

    @ParameterizedTest
    @CsvSource({
        "viewer, 200, 403, 403",
        "client, 403, 404, 403",
        "operator, 200, 404, 403",
        "eldr-admins, 200, 404, 404",
        "staff, 403, 403, 403"
    })
    void aTokenAllowsWhatItsRolesAllow(String claimed, int reading, int routing, int anything) {
        String token = ISSUER.token("ada", claimed);

        assertThat(get("/v1/pools", token).status()).isEqualTo(reading);
        assertThat(route(token).status()).isEqualTo(routing);
        Answer unknown = get("/nothing", token);
        assertThat(unknown.status()).isEqualTo(anything);
        assertThat(unknown.response().headers().firstValue("Content-Type")).contains("application/problem+json");
    }

    @Test
    void aBadTokenIsRefusedWhicheverCallItComesWith() {
        ISSUER.badTokens().forEach((flaw, token) -> {
            for (Answer answer : List.of(get("/v1/pools", token), route(token))) {
                assertThat(answer.status()).as(flaw).isEqualTo(401);
                assertThat(answer.json().path("type").asString()).isEqualTo("https://eldr.io/problems/unauthorized");
                assertThat(answer.response().headers().firstValue("WWW-Authenticate"))
                        .contains("Bearer error=\"invalid_token\"");
            }
        });
    }

    @Test
    void theProviderIsNotAskedAboutTokensWhoseKeyIsKnown() {
        int asked = ISSUER.asked();

        for (int i = 0; i < 20; i++) {
            assertThat(get("/v1/pools", ISSUER.token("user-" + i, "viewer")).status())
                    .isEqualTo(200);
        }

        assertThat(ISSUER.asked() - asked).isLessThan(2);
    }

    private static Answer get(String path, String token) {
        return router.send(router.request(path, Optional.of(token)).GET());
    }

    private static Answer route(String token) {
        return router.send(router.request("/v1/route", Optional.of(token))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body("nobody-has-it", "x")))));
    }
}
