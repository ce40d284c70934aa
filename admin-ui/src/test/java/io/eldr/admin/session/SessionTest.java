package io.eldr.admin.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.admin.testing.Browser;
import io.eldr.admin.testing.TestAdmin;
import java.net.HttpCookie;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class SessionTest {
    private final TestAdmin admin = TestAdmin.shared();

    @Test
    void saysHowToLogInWhereNobodyIs() {
        JsonNode session = admin.browser().session();

        assertThat(session.path("authenticated").asBoolean()).isFalse();
        assertThat(session.path("passwordLogin").asBoolean()).isTrue();
        assertThat(session.has("user")).isFalse();
        assertThat(session.path("csrf").path("token").asString()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"viewer", "operator", "admin"})
    void aUserLogsInAndOut(String user) {
        Browser browser = admin.browserOf(user);

        JsonNode session = browser.session();
        assertThat(session.path("user").asString()).isEqualTo(user);
        assertThat(session.path("role").asString()).isEqualTo(user);
        assertThat(Instant.parse(session.path("expiresAt").asString())).isAfter(Instant.now());
        browser.call("DELETE", "/api/session", "").expect(204);
        assertThat(browser.session().path("authenticated").asBoolean()).isFalse();
        browser.get("/api/overview").expectProblem(401, "unauthorized");
    }

    @Test
    void theSessionHasANewIdAfterTheLoginAndScriptsCannotReadIt() {
        Browser browser = admin.browserOf("viewer");
        String first = cookie(browser).getValue();

        browser.logIn("operator", TestAdmin.passwordOf("operator"));

        assertThat(cookie(browser).getValue()).isNotEqualTo(first);
        assertThat(cookie(browser).isHttpOnly()).isTrue();
        assertThat(browser.session().path("user").asString()).isEqualTo("operator");
    }

    @Test
    void theCookieIsOnlySentOverTlsAndNotWithCallsOfOtherSites() {
        try (TestAdmin strict =
                TestAdmin.start(TestAdmin.sharedCalibration().address(), "server.servlet.session.cookie.secure=true")) {
            Browser browser = strict.browser();
            browser.session();

            String cookie = String.join(
                    "\n",
                    browser.tryLogIn("viewer", TestAdmin.passwordOf("viewer"))
                            .expect(200)
                            .response()
                            .headers()
                            .allValues("set-cookie"));

            assertThat(cookie)
                    .containsPattern("ELDR_SESSION=[^\n]*Secure")
                    .containsPattern("ELDR_SESSION=[^\n]*HttpOnly")
                    .containsPattern("ELDR_SESSION=[^\n]*SameSite=Lax");
        }
    }

    @Test
    void aWrongPasswordSaysNotWhetherTheUserExists() {
        Browser browser = admin.browser();
        browser.session();

        String wrongPassword = browser.tryLogIn("viewer", "a guess")
                .expectProblem(401, "unauthorized")
                .text();
        String wrongUser = browser.tryLogIn("nobody-" + System.nanoTime(), "a guess")
                .expectProblem(401, "unauthorized")
                .text();

        assertThat(wrongUser).isEqualTo(wrongPassword);
    }

    @Test
    void aLoginNamesTheFieldThatIsMissing() {
        Browser browser = admin.browser();
        browser.session();

        assertThat(browser.post("/api/session", "{\"password\":\"x\"}")
                        .expectProblem(400, "invalid-input")
                        .json()
                        .path("field")
                        .asString())
                .isEqualTo("username");
        assertThat(browser.post("/api/session", "{\"username\":\"x\"}")
                        .expectProblem(400, "invalid-input")
                        .json()
                        .path("field")
                        .asString())
                .isEqualTo("password");
        browser.post("/api/session", "no json").expectProblem(400, "invalid-input");
    }

    @Test
    void whoFailsAgainAndAgainMustWait() {
        try (TestAdmin own = TestAdmin.start(
                TestAdmin.sharedCalibration().address(),
                "eldr.admin.session.failures=2",
                "eldr.admin.session.lock-for=1h")) {
            Browser browser = own.browser();
            browser.session();
            browser.tryLogIn("viewer", "a guess").expect(401);
            browser.tryLogIn("viewer", "another").expect(401);

            Browser.Answer refused =
                    browser.tryLogIn("viewer", TestAdmin.passwordOf("viewer")).expectProblem(429, "too-many-logins");

            assertThat(Integer.parseInt(refused.header("retry-after"))).isBetween(3_000, 3_600);
        }
    }

    @Test
    void aSessionEndsWhenItsTimeIsOver() {
        try (TestAdmin own =
                TestAdmin.start(TestAdmin.sharedCalibration().address(), "eldr.admin.session.lifetime=1s")) {
            Browser browser = own.browser();
            JsonNode session = browser.begin("operator", TestAdmin.passwordOf("operator"));
            Instant end = Instant.parse(session.path("expiresAt").asString());

            Awaitility.await().until(() -> Instant.now().isAfter(end.plusMillis(10)));

            browser.post("/api/calibration/v1/pools/demo/rollback", "{}").expectProblem(401, "unauthorized");
            assertThat(TestAdmin.sharedCalibration().calls("POST", "/v1/pools/demo/rollback"))
                    .isEmpty();
        }
    }

    private HttpCookie cookie(Browser browser) {
        return browser.cookies().getCookieStore().getCookies().stream()
                .filter(cookie -> cookie.getName().equals("ELDR_SESSION"))
                .findFirst()
                .orElseThrow();
    }
}
