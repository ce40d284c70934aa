package io.eldr.admin.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.admin.testing.Browser;
import io.eldr.admin.testing.FakeService;
import io.eldr.admin.testing.OidcProvider;
import io.eldr.admin.testing.TestAdmin;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Logins at a real OIDC provider, step by step as a browser makes them. */
class OidcTest {
    private static final OidcProvider PROVIDER = OidcProvider.start();
    private static final FakeService CALIBRATION = FakeService.start();
    private static final TestAdmin ADMIN = start();

    private static TestAdmin start() {
        String registration = "spring.security.oauth2.client.registration.company.";
        TestAdmin admin = TestAdmin.start(
                CALIBRATION.address(),
                "spring.security.oauth2.client.provider.company.issuer-uri=" + PROVIDER.issuer(),
                registration + "client-name=Company login",
                registration + "client-id=" + OidcProvider.CLIENT,
                registration + "client-secret=" + OidcProvider.SECRET,
                registration + "scope=openid",
                "eldr.admin.users.enabled=false",
                "eldr.admin.oidc.roles-claim=realm_access.roles",
                "eldr.admin.oidc.roles.admin=eldr-admins",
                "eldr.admin.oidc.roles.operator=eldr-ops");
        PROVIDER.register(URI.create(admin.address() + "/login/oauth2/code/company"));
        return admin;
    }

    @AfterAll
    static void stop() {
        ADMIN.close();
        PROVIDER.close();
        CALIBRATION.close();
    }

    @Test
    void offersTheProviderInsteadOfPasswords() {
        JsonNode session = ADMIN.browser().session();

        assertThat(session.path("passwordLogin").asBoolean()).isFalse();
        assertThat(session.path("providers").get(0).path("name").asString()).isEqualTo("Company login");
        assertThat(session.path("providers").get(0).path("url").asString()).isEqualTo("oauth2/authorization/company");
    }

    @Test
    void takesTheRoleFromTheClaim() {
        Browser grace = ADMIN.browser();
        assertThat(logIn(grace, "grace")).isEqualTo("/");
        assertThat(grace.session().path("user").asString()).isEqualTo("grace@example.com");
        assertThat(grace.session().path("role").asString()).isEqualTo("admin");

        Browser linus = ADMIN.browser();
        logIn(linus, "linus");
        assertThat(linus.session().path("role").asString()).isEqualTo("operator");
    }

    @ParameterizedTest
    @CsvSource({
        "/pools/demo/refits?x=1, /pools/demo/refits?x=1",
        "//evil.example/, /",
        "https://evil.example/, /",
        "/\\evil.example, /",
        "javascript:alert(1), /"
    })
    void endsOnThePageOfOursThatItBeganOn(String next, String end) {
        assertThat(logIn(ADMIN.browser(), "grace", "?next=" + URLEncoder.encode(next, StandardCharsets.UTF_8)))
                .isEqualTo(end);
    }

    @Test
    void theServicesSeeWhoItWas() {
        CALIBRATION.on("POST /v1/pools/oidc/rollback", "{}");
        Browser linus = ADMIN.browser();
        logIn(linus, "linus");
        linus.session();

        linus.post("/api/calibration/v1/pools/oidc/rollback", "{}").expect(200);

        FakeService.Call call =
                CALIBRATION.calls("POST", "/v1/pools/oidc/rollback").getFirst();
        assertThat(call.header("X-Eldr-Acting-User")).contains("linus@example.com");
        assertThat(call.header("X-Eldr-Acting-Role")).contains("operator");
    }

    @Test
    void whoHasNoRoleHereGetsNoSession() {
        Browser eve = ADMIN.browser();

        assertThat(logIn(eve, "eve")).isEqualTo("/login?problem=no-role");

        assertThat(eve.session().path("authenticated").asBoolean()).isFalse();
        eve.get("/api/overview").expectProblem(401, "unauthorized");
    }

    @Test
    void aForgedWayBackIsNoLogin() {
        Browser browser = ADMIN.browser();

        Browser.Answer answer = browser.get("/login/oauth2/code/company?code=forged&state=forged");

        assertThat(location(answer, ADMIN.address())).endsWith("/login?problem=failed");
        assertThat(browser.session().path("authenticated").asBoolean()).isFalse();
    }

    @Test
    void passwordsAreNotTakenThen() {
        Browser browser = ADMIN.browser();
        browser.session();

        browser.tryLogIn("viewer", TestAdmin.passwordOf("viewer")).expectProblem(401, "unauthorized");
    }

    /** @return where the dashboard sends the browser in the end, without its own address */
    private static String logIn(Browser browser, String name) {
        return logIn(browser, name, "");
    }

    private static String logIn(Browser browser, String name, String query) {
        String authorize = location(browser.get("/oauth2/authorization/company" + query), ADMIN.address());
        assertThat(authorize).startsWith(PROVIDER.issuer() + "/oauth2/authorize");
        String basic = Base64.getEncoder().encodeToString((name + ":" + name).getBytes(StandardCharsets.UTF_8));
        String back = location(
                browser.send(browser.to(URI.create(authorize))
                        .header("Authorization", "Basic " + basic)
                        .GET()),
                PROVIDER.issuer());
        assertThat(back).startsWith(ADMIN.address() + "/login/oauth2/code/company");
        String end = location(browser.send(browser.to(URI.create(back)).GET()), ADMIN.address());
        return end.substring(ADMIN.address().toString().length());
    }

    private static String location(Browser.Answer answer, URI base) {
        return base.resolve(answer.expect(302).header("location")).toString();
    }
}
