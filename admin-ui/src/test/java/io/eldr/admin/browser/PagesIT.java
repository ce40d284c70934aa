package io.eldr.admin.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import tools.jackson.databind.JsonNode;

/** Every page in both colours and both widths: a picture in {@code target/screenshots}, and what axe says of it. */
@ExtendWith(RealDashboard.Provider.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PagesIT {
    private static final Set<String> OPEN = Set.of("QUEUED", "RUNNING");

    /** The name of a page's picture, its path and its title. */
    record Sight(String name, String path, String title) {
        @Override
        public String toString() {
            return name;
        }
    }

    static final List<Sight> SIGHTS = List.of(
            new Sight("overview", "/", "Overview"),
            new Sight("clusters", "/pools/demo/clusters", "Clusters"),
            new Sight("artifacts", "/pools/demo/artifacts", "Artifacts"),
            new Sight("refits", "/pools/demo/refits", "Refits"),
            new Sight("refit", "/pools/demo/refits/1", "Refit #1"),
            new Sight("what-if", "/pools/demo/what-if", "What-if"),
            new Sight("workers", "/pools/demo/workers", "Workers"),
            new Sight("routers", "/routers", "Routers"),
            new Sight("audit", "/audit", "Audit"));

    private final RealStack stack;
    /** One for all pages: another would have to read all scripts again. */
    private final Tab tab;

    PagesIT(RealDashboard dashboard) {
        this.stack = dashboard.stack();
        this.tab = dashboard.as("admin");
    }

    /** A second version and an evaluation, so that there is something to be seen. */
    @BeforeAll
    void makeHistory() {
        if (stack.get(stack.calibration(), "/v1/pools/demo/artifacts").size() < 2) {
            await("refits", "{\"force\":true}");
        }
        if (stack.get(stack.calibration(), "/v1/pools/demo/evaluations").isEmpty()) {
            await("evaluations", "{\"policies\":[\"eldr\",\"jsq\",\"round-robin\"],\"requests\":400,\"seeds\":2}");
        }
        tab.go("/", "Overview");
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

    @AfterAll
    void close() {
        tab.close();
    }

    @ParameterizedTest
    @FieldSource("SIGHTS")
    void everyPageCanBeUsedByEverybodyInBothColoursAndOnAPhone(Sight sight) {
        tab.widen();
        tab.follow(sight.path(), sight.title());
        assertUsableEverywhere(sight.name());
    }

    @Test
    void soCanADialog() {
        tab.widen();
        Tab.press(tab.follow("/", "Overview").card("demo"), "Change routing");
        tab.dialog().getByLabel("Shadow policy").waitFor();
        assertUsableEverywhere("routing");
        Tab.press(tab.dialog(), "Not now");
    }

    private void assertUsableEverywhere(String name) {
        tab.settle();
        tab.screenshot(name + "-light");
        List<String> faults = new ArrayList<>(tab.seriousAccessibilityFaults());
        tab.darken();
        tab.screenshot(name + "-dark");
        faults.addAll(tab.contrastFaults());
        tab.lighten();
        tab.narrow();
        if (!tab.fits()) {
            faults.add("too wide for a phone");
        }
        tab.screenshot(name + "-phone");
        assertThat(faults).isEmpty();
        assertThat(tab.faults()).isEmpty();
    }
}
