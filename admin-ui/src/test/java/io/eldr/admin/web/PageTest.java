package io.eldr.admin.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.admin.testing.Browser;
import io.eldr.admin.testing.TestAdmin;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageTest {
    private final TestAdmin admin = TestAdmin.shared();

    @ParameterizedTest
    @ValueSource(strings = {"/", "/index.html", "/login", "/pools/demo/clusters", "/audit?pool=demo", "/no/such/page"})
    void everyPathOfThePageIsThePage(String path) {
        Browser.Answer answer = admin.browser().get(path).expect(200);

        assertThat(answer.header("content-type")).startsWith("text/html");
        assertThat(answer.text()).contains("<base href=\"/\">");
        assertThat(answer.header("cache-control")).contains("no-store");
    }

    @Test
    void whatDoesNotExistIsNotThePage() {
        admin.browser().get("/assets/no-such-file.js").expectProblem(404, "not-found");
        admin.browser().get("/no-such-file.png").expectProblem(404, "not-found");
        admin.browserOf("viewer").get("/api/no-such-thing").expectProblem(404, "not-found");
    }

    @Test
    void scriptsComeFromHereAloneAndNobodyFramesThePage() {
        Browser.Answer page = admin.browser().get("/").expect(200);

        assertThat(page.header("content-security-policy"))
                .contains("default-src 'none'")
                .contains("script-src 'self';")
                .contains("frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(page.header("x-content-type-options")).isEqualTo("nosniff");
        assertThat(page.header("x-frame-options")).isEqualTo("DENY");
        assertThat(page.header("referrer-policy")).isEqualTo("same-origin");
        assertThat(page.header("cross-origin-opener-policy")).isEqualTo("same-origin");
        assertThat(page.header("permissions-policy")).contains("camera=()");
        assertThat(Pattern.compile("<script(?![^>]*\\ssrc=)")
                        .matcher(page.text())
                        .find())
                .as("an inline script")
                .isFalse();
    }

    @Test
    void worksUnderASubPathOfItsOwn() {
        try (TestAdmin own =
                TestAdmin.start(TestAdmin.sharedCalibration().address(), "server.servlet.context-path=/tools/eldr")) {
            assertThat(own.browser().get("/pools/demo").expect(200).text()).contains("<base href=\"/tools/eldr/\">");
            assertThat(own.browserOf("viewer")
                            .get("/api/overview")
                            .expect(200)
                            .json()
                            .has("live"))
                    .isTrue();
        }
    }

    @Test
    void worksUnderTheSubPathOfAProxyThatIsTrusted() {
        try (TestAdmin own =
                TestAdmin.start(TestAdmin.sharedCalibration().address(), "server.forward-headers-strategy=framework")) {
            Browser browser = own.browser();

            Browser.Answer page = browser.send(
                    browser.request("/").header("X-Forwarded-Prefix", "/eldr").GET());

            assertThat(page.expect(200).text()).contains("<base href=\"/eldr/\">");
        }
    }

    @Test
    void theSubPathOfWhoeverClaimsToBeAProxyDoesNotCount() {
        Browser browser = admin.browser();

        Browser.Answer page = browser.send(
                browser.request("/").header("X-Forwarded-Prefix", "/evil").GET());

        assertThat(page.expect(200).text()).contains("<base href=\"/\">");
    }

    @Test
    void healthIsOpenAndSaysNothingElse() {
        assertThat(admin.browser()
                        .get("/livez")
                        .expect(200)
                        .json()
                        .path("status")
                        .asString())
                .isEqualTo("UP");
        assertThat(admin.browser()
                        .get("/readyz")
                        .expect(200)
                        .json()
                        .path("status")
                        .asString())
                .isEqualTo("UP");
    }
}
