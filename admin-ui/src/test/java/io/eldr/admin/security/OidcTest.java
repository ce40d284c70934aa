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
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Logins at a real OIDC provider, step by step as a browser makes them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OidcTest {
    private final OidcProvider provider = OidcProvider.start();
    private final FakeService calibration = FakeService.start();
    private final TestAdmin admin = start();

    private TestAdmin start() {
        String registration = "spring.security.oauth2.client.registration.company.";
        TestAdmin started = TestAdmin.start(
                calibration.address(),
                "spring.security.oauth2.client.provider.company.issuer-uri=" + provider.issuer(),
                registration + "client-name=Company login",
                registration + "client-id=" + OidcProvider.CLIENT,
                registration + "client-secret=" + OidcProvider.SECRET,
                registration + "scope=openid",
                "eldr.admin.users.enabled=false",
                "eldr.admin.oidc.roles-claim=realm_access.roles",
                "eldr.admin.oidc.roles.admin=eldr-admins",
                "eldr.admin.oidc.roles.operator=eldr-ops");
        provider.register(URI.create(started.address() + "/login/oauth2/code/company"));
        return started;
    }

    @AfterAll
    void stop() {
        admin.close();
        provider.close();
        calibration.close();
    }

    @Test
    void offersTheProviderInsteadOfPasswords() {
        JsonNode session = admin.browser().session();

        assertThat(session.path("passwordLogin").asBoolean()).isFalse();
        assertThat(session.path("providers").get(0).path("name").asString()).isEqualTo("Company login");
        assertThat(session.path("providers").get(0).path("url").asString()).isEqualTo("oauth2/authorization/company");
    }

    @Test
    void takesTheRoleFromTheClaim() {
        Browser grace = admin.browser();
        assertThat(logIn(grace, "grace")).isEqualTo("/");
        assertThat(grace.session().path("user").asString()).isEqualTo("grace@example.com");
        assertThat(grace.session().path("role").asString()).isEqualTo("admin");

        Browser linus = admin.browser();
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
        assertThat(logIn(admin.browser(), "grace", "?next=" + URLEncoder.encode(next, StandardCharsets.UTF_8)))
                .isEqualTo(end);
    }

    @Test
    void theServicesSeeWhoItWas() {
        calibration.on("POST /v1/pools/oidc/rollback", "{}");
        Browser linus = admin.browser();
        logIn(linus, "linus");
        linus.session();

        linus.post("/api/calibration/v1/pools/oidc/rollback", "{}").expect(200);

        FakeService.Call call =
                calibration.calls("POST", "/v1/pools/oidc/rollback").getFirst();
        assertThat(call.header("X-Eldr-Acting-User")).contains("linus@example.com");
        assertThat(call.header("X-Eldr-Acting-Role")).contains("operator");
    }

    @Test
    void whoHasNoRoleHereGetsNoSession() {
        Browser eve = admin.browser();

        assertThat(logIn(eve, "eve")).isEqualTo("/login?problem=no-role");

        assertThat(eve.session().path("authenticated").asBoolean()).isFalse();
        eve.get("/api/overview").expectProblem(401, "unauthorized");
    }

    @Test
    void aForgedWayBackIsNoLogin() {
        Browser browser = admin.browser();

        Browser.Answer answer = browser.get("/login/oauth2/code/company?code=forged&state=forged");

        assertThat(location(answer, admin.address())).endsWith("/login?problem=failed");
        assertThat(browser.session().path("authenticated").asBoolean()).isFalse();
    }

    @Test
    void passwordsAreNotTakenThen() {
        Browser browser = admin.browser();
        browser.session();

        browser.tryLogIn("viewer", TestAdmin.passwordOf("viewer")).expectProblem(401, "unauthorized");
    }

    /** @return where the dashboard sends the browser in the end, without its own address */
    private String logIn(Browser browser, String name) {
        return logIn(browser, name, "");
    }

    private String logIn(Browser browser, String name, String query) {
        String authorize = location(browser.get("/oauth2/authorization/company" + query), admin.address());
        assertThat(authorize).startsWith(provider.issuer() + "/oauth2/authorize");
        String basic = Base64.getEncoder().encodeToString((name + ":" + name).getBytes(StandardCharsets.UTF_8));
        String back = location(
                browser.send(browser.to(URI.create(authorize))
                        .header("Authorization", "Basic " + basic)
                        .GET()),
                provider.issuer());
        assertThat(back).startsWith(admin.address() + "/login/oauth2/code/company");
        String end = location(browser.send(browser.to(URI.create(back)).GET()), admin.address());
        return end.substring(admin.address().toString().length());
    }

    private static String location(Browser.Answer answer, URI base) {
        return base.resolve(answer.expect(302).header("location")).toString();
    }
}
