package io.eldr.calibration.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.ApiClient.Answer;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import io.eldr.db.testing.TestPostgres;
import io.eldr.service.testing.TestIssuer;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Tokens of an OIDC provider, which is away when the service starts. Who may call what with which role: AccessTest. */
class JwtTest {
    private static final TestIssuer ISSUER = TestIssuer.start();

    private static TestServer server;

    @BeforeAll
    static void startWhileTheProviderIsAway() {
        ISSUER.away(true);
        server = TestServer.start(
                TestPostgres.freshDatabase(), ISSUER.properties().toArray(String[]::new));
        ApiClient ada = as(ISSUER.token("ada", "viewer"));

        Answer unchecked = ada.get("/v1/pools").expectProblem(503, "unavailable");
        assertThat(unchecked.header("Retry-After")).isNotEmpty();
        assertThat(unchecked.json().path("detail").asString()).contains("OIDC provider");
        server.as(TestToken.VIEWER).get("/v1/pools").expect(200);

        ISSUER.away(false);
        await().atMost(Duration.ofSeconds(30)).until(() -> ada.get("/v1/pools").status() == 200);
    }

    @AfterAll
    static void stop() {
        server.close();
        ISSUER.close();
    }

    @ParameterizedTest
    @CsvSource({
        "viewer, 200, 403, 403, 403",
        "client, 403, 404, 403, 403",
        "operator, 200, 404, 404, 403",
        "eldr-admins, 200, 404, 404, 404",
        "staff, 403, 403, 403, 403"
    })
    void aTokenAllowsWhatItsRolesAllow(String claimed, int reading, int sampling, int changing, int deleting) {
        ApiClient caller = as(ISSUER.token("ada", claimed));

        assertThat(caller.get("/v1/pools").status()).isEqualTo(reading);
        assertThat(caller.postSamples("nobody", TestPool.line("r", 0, 1, true)).status())
                .isEqualTo(sampling);
        assertThat(caller.post("/v1/pools/nobody/rollback", "{}").status()).isEqualTo(changing);
        assertThat(caller.delete("/v1/pools/nobody").status()).isEqualTo(deleting);
    }

    @Test
    void aBadTokenIsRefused() {
        ISSUER.badTokens()
                .forEach((flaw, token) -> assertThat(as(token)
                                .get("/v1/pools")
                                .expectProblem(401, "unauthorized")
                                .header("WWW-Authenticate"))
                        .as(flaw)
                        .isEqualTo("Bearer error=\"invalid_token\""));
    }

    @Test
    void theAuditLogNamesTheUserAndNobodyTheUserClaimsToActFor() {
        ApiClient grace = as(ISSUER.token("grace@example.com", "eldr-admins"));
        TestPool pool = TestPool.create(grace);

        ApiClient.send(grace.request(pool.path())
                        .header("Content-Type", "application/json")
                        .header("X-Eldr-Acting-User", "ada")
                        .header("X-Eldr-Acting-Role", "viewer")
                        .method("PATCH", BodyPublishers.ofString("{\"tau\":0.3}")))
                .expect(200);

        JsonNode entries =
                grace.get("/v1/audit?pool=" + pool.name()).expect(200).json();
        assertThat(entries.valueStream().map(entry -> entry.path("action").asString()))
                .containsExactly("pool.change", "pool.create");
        assertThat(entries.valueStream().map(entry -> entry.path("actor").asString()))
                .containsOnly("grace@example.com");
        assertThat(entries.valueStream()).noneMatch(entry -> entry.has("actingThrough"));
    }

    @Test
    void theServicesThatActForUsersStillDo() {
        TestPool pool = TestPool.create(server);

        ApiClient.send(server.as(TestToken.UI)
                        .request(pool.path())
                        .header("Content-Type", "application/json")
                        .header("X-Eldr-Acting-User", "ada")
                        .method("PATCH", BodyPublishers.ofString("{\"tau\":0.3}")))
                .expect(200);

        JsonNode change = server.as(TestToken.VIEWER)
                .get("/v1/audit?limit=1&pool=" + pool.name())
                .json()
                .get(0);
        assertThat(change.path("actor").asString()).isEqualTo("ada");
    }

    private static ApiClient as(String token) {
        return new ApiClient(server.port(), token);
    }
}
