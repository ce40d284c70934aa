package io.eldr.admin.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.ColorScheme;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Every page in both colours and both widths: a picture in {@code target/screenshots}, and what axe says of it. */
@ExtendWith(RealDashboard.Provider.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PagesIT {
    private static final Set<String> OPEN = Set.of("QUEUED", "RUNNING");

    /** The name of a page's picture, its path and its title. */
    private record Sight(String name, String path, String title) {}

    private static final List<Sight> SIGHTS = List.of(
            new Sight("overview", "/", "Overview"),
            new Sight("clusters", "/pools/demo/clusters", "Clusters"),
            new Sight("artifacts", "/pools/demo/artifacts", "Artifacts"),
            new Sight("refits", "/pools/demo/refits", "Refits"),
            new Sight("refit", "/pools/demo/refits/1", "Refit #1"),
            new Sight("what-if", "/pools/demo/what-if", "What-if"),
            new Sight("workers", "/pools/demo/workers", "Workers"),
            new Sight("routers", "/routers", "Routers"),
            new Sight("audit", "/audit", "Audit"));

    private final RealDashboard dashboard;
    private final RealStack stack;

    PagesIT(RealDashboard dashboard) {
        this.dashboard = dashboard;
        this.stack = dashboard.stack();
    }

    /** A second version and an evaluation, so that there is something to be seen. */
    @BeforeAll
    void makeHistory() {
        if (stack.get(stack.calibration(), "/v1/pools/demo/artifacts").size() < 2) {
            await("refits", "{\"force\":true}");
        }
        if (stack.get(stack.calibration(), "/v1/pools/demo/evaluations").isEmpty()) {
            await("evaluations", "{\"policies\":[\"eldr\",\"jsq\",\"round-robin\"],\"requests\":600,\"seeds\":2}");
        }
    }

    private void await(String jobs, String body) {
        String all = "/v1/pools/demo/" + jobs;
        long id = stack.call("POST", stack.calibration(), all, body).path("id").asLong();
        Awaitility.await("the end of one of the " + jobs)
                .atMost(OwnPool.PATIENCE)
                .until(() -> {
                    JsonNode job = stack.get(stack.calibration(), all + "/" + id);
                    return !OPEN.contains(job.path("state").asString());
                });
    }

    @ParameterizedTest
    @EnumSource(
            value = ColorScheme.class,
            names = {"LIGHT", "DARK"})
    void everyPageCanBeUsedByEverybody(ColorScheme colours) {
        List<String> faults = new ArrayList<>();
        try (Tab tab = dashboard.logIn("admin", 1280, colours)) {
            for (Sight sight : SIGHTS) {
                tab.go(sight.path(), sight.title());
                tab.settle();
                tab.screenshot(sight.name() + "-" + colours.name().toLowerCase(Locale.ROOT));
                tab.seriousAccessibilityFaults().forEach(fault -> faults.add(sight.name() + ": " + fault));
            }
            Tab.press(tab.go("/", "Overview").card("demo"), "Change routing");
            tab.dialog().getByLabel("Shadow policy").waitFor();
            tab.screenshot("routing-" + colours.name().toLowerCase(Locale.ROOT));
            tab.seriousAccessibilityFaults().forEach(fault -> faults.add("routing: " + fault));
            assertThat(faults).isEmpty();
            assertThat(tab.faults()).isEmpty();
        }
    }

    @Test
    void everyPageFitsAPhone() {
        List<String> tooWide = new ArrayList<>();
        try (Tab tab = dashboard.logIn("viewer", 390, ColorScheme.LIGHT)) {
            for (Sight sight : SIGHTS) {
                tab.go(sight.path(), sight.title());
                tab.settle();
                tab.screenshot(sight.name() + "-phone");
                if (tab.width() != 390) {
                    tooWide.add(sight.name() + " is " + tab.width() + " pixels wide");
                }
            }
            assertThat(tooWide).isEmpty();
        }
    }
}
