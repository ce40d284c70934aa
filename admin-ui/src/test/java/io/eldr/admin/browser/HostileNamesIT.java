package io.eldr.admin.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Names from outside that look like markup stay text, wherever they are shown. */
@ExtendWith(RealDashboard.Provider.class)
class HostileNamesIT {
    private static final String MARKUP = "<img src=x onerror=alert(document.domain)>";

    private final RealDashboard dashboard;
    private final RealStack stack;

    HostileNamesIT(RealDashboard dashboard) {
        this.dashboard = dashboard;
        this.stack = dashboard.stack();
    }

    @Test
    void stayTextAsModelsLabelsRequestIdsAndReasons() {
        OwnPool pool = OwnPool.make(stack, "hostile", MARKUP);
        try (Tab tab = dashboard.as("operator")) {
            pool.withSamples(60, MARKUP, MARKUP).refitted().refitted();
            String live = pool.reserve(MARKUP + "live", Optional.of(MARKUP));
            Tab.seeText(tab.go("/", "Overview").card("hostile"), MARKUP);

            tab.go("/pools/hostile/clusters", "Clusters");
            Tab.seeText(tab.table("Clusters"), MARKUP);
            Tab.press(tab.region("Recent requests"), "Table");
            tab.page().getByText(MARKUP + "live").first().click();
            Tab.seeText(tab.dialog(), MARKUP + "live");
            Tab.seeText(tab.dialog(), "label " + MARKUP);
            pool.close(live);

            stack.call(
                    "POST",
                    stack.calibration(),
                    pool.path() + "/activations",
                    "{\"version\":1,\"reason\":\"" + MARKUP + "\"}");
            tab.go("/pools/hostile/artifacts", "Artifacts");
            Tab.seeText(tab.page().locator("main"), MARKUP);
            tab.go("/audit", "Audit");
            Tab.seeText(tab.page().locator("main"), "pool.create");

            assertThat(tab.page().locator("main img").count()).isZero();
            assertThat(tab.faults()).isEmpty();
        } finally {
            pool.delete();
        }
    }
}
