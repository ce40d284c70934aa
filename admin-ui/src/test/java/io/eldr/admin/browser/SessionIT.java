package io.eldr.admin.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.eldr.admin.testing.TestAdmin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who logs in, what they are offered, and what becomes of a session. */
@ExtendWith(RealDashboard.Provider.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SessionIT {
    /** What the page calls of the calibration service. */
    private static final String CALLS = "**/api/calibration/**";

    private final RealDashboard dashboard;
    private final RealStack stack;
    private OwnPool pool;

    SessionIT(RealDashboard dashboard) {
        this.dashboard = dashboard;
        this.stack = dashboard.stack();
        this.pool = OwnPool.make(stack, "session");
    }

    @BeforeAll
    void makeTwoVersions() {
        pool = pool.withSamples(60, "r-", "topic ").refitted().refitted();
    }

    @AfterAll
    void delete() {
        pool.delete();
    }

    @ParameterizedTest
    @CsvSource({"viewer, false, false", "operator, true, false", "admin, true, true"})
    void eachRoleLogsInAndIsOfferedWhatItMayDo(String user, boolean mayOperate, boolean mayAdminister) {
        try (Tab tab = dashboard.logIn(user)) {
            tab.go("/pools/session/artifacts", "Artifacts");
            tab.row("Artifact versions of session", "v2").waitFor();
            assertOffered(tab.button("Roll back"), mayOperate);
            assertOffered(tab.button("Pin"), mayAdminister);
            tab.button("Log out").click();
            Tab.assertThat(tab.page().getByLabel("Password")).isVisible();
            assertThat(tab.faults()).isEmpty();
        }
    }

    private static void assertOffered(Locator button, boolean offered) {
        if (offered) {
            Tab.assertThat(button).not().hasAttribute("aria-disabled", "true");
        } else {
            Tab.assertThat(button).hasAttribute("aria-disabled", "true");
        }
    }

    @Test
    void aSessionThatEndsInTheMidstOfAnActionLosesNothingButTheLogin() {
        try (Tab tab = dashboard.as("operator")) {
            tab.go("/pools/session/artifacts", "Artifacts");
            tab.button("Roll back").click();
            int before = pool.activeVersion();
            // The page also asks by itself now and then, and must not be the first to learn that the session is over.
            tab.page().route(CALLS, route -> {
                if (route.request().method().equals("GET")) {
                    route.abort();
                } else {
                    route.resume();
                }
            });
            tab.page().context().clearCookies();

            Tab.press(tab.dialog(), "Roll back");

            tab.page().getByLabel("Password").waitFor();
            tab.page().unroute(CALLS);
            tab.page().getByLabel("Password").fill(stack.passwordOf("operator"));
            tab.button("Log in").click();
            tab.see("Artifacts");
            assertThat(tab.page().url()).endsWith("/pools/session/artifacts");
            assertThat(pool.activeVersion()).as("nothing half done").isEqualTo(before);
        }
    }

    @Test
    void worksUnderASubPath() {
        try (TestAdmin admin = TestAdmin.start(
                        stack.calibration(),
                        "eldr.admin.token=" + stack.dashboardToken(),
                        "server.servlet.context-path=/tools/eldr");
                Tab tab = dashboard.open(admin.address())) {
            tab.logIn("viewer", TestAdmin.passwordOf("viewer"));
            assertThat(tab.page().url()).contains("/tools/eldr/");
            tab.page()
                    .getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Routers"))
                    .click();
            tab.see("Routers");
            tab.page().reload();
            tab.see("Routers");
            assertThat(tab.page().url()).endsWith("/tools/eldr/routers");
            assertThat(tab.faults()).isEmpty();
        }
    }
}
