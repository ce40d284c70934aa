package io.eldr.admin.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Who gets traffic, and how a pool chooses among them. */
@ExtendWith(RealDashboard.Provider.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkersIT {
    private final RealDashboard dashboard;
    private final RealStack stack;
    private final OwnPool pool;

    WorkersIT(RealDashboard dashboard) {
        this.dashboard = dashboard;
        this.stack = dashboard.stack();
        this.pool = OwnPool.make(stack, "yard");
    }

    @AfterAll
    void delete() {
        pool.delete();
    }

    @Test
    void anOperatorDrainsADecoderAndLetsItServeAgain() {
        try (Tab tab = dashboard.as("operator")) {
            tab.go("/pools/yard/workers", "Workers");
            Locator row = tab.row("Workers of yard", "yard-1");
            Tab.press(row, "Drain");
            tab.confirm("Drain");
            pool.awaitState("yard-1", "DRAINING");
            Tab.seeText(row, "Drained");
            Tab.press(row, "Undrain");
            tab.confirm("Undrain");
            pool.awaitState("yard-1", "READY");
            Tab.seeText(row, "Ready");
            assertThat(tab.faults()).isEmpty();
        }
    }

    @Test
    void anotherWeightLeavesAllElseOfAWorkerAsItWas() {
        declare("yard-0", "decode", "\"probe\":\"none\",\"revision\":\"r7\",\"maxInFlight\":64");
        try (Tab tab = dashboard.as("operator")) {
            tab.go("/pools/yard/workers", "Workers");
            Tab.press(tab.row("Workers of yard", "yard-0"), "Change");
            Tab.assertThat(tab.dialog().getByLabel("Probe")).hasValue("none");
            Tab.assertThat(tab.dialog().getByLabel("Model revision")).hasValue("r7");
            tab.dialog().getByLabel("Weight").fill("2.5");
            tab.confirm("Change");
            assertThat(tab.faults()).isEmpty();
        }
        JsonNode changed = declared("yard-0");
        assertThat(changed.path("weight").asDouble()).isEqualTo(2.5);
        assertThat(changed.path("probe").asString()).isEqualTo("none");
        assertThat(changed.path("revision").asString()).isEqualTo("r7");
        assertThat(changed.path("maxInFlight").asInt()).isEqualTo(64);
    }

    @Test
    void aPrefillWorkerIsShownAsTheRouterSeesItAndTakenOutAtOnce() {
        declare("yard-p", "prefill", "\"probe\":\"http\"");
        try (Tab tab = dashboard.as("operator")) {
            tab.go("/pools/yard/workers", "Workers");
            Locator row = tab.row("Workers of yard", "yard-p");
            Tab.seeText(row, "Pending");
            declare("yard-p", "prefill", "\"probe\":\"none\"");
            Tab.seeText(row, "Ready");
            Tab.press(row, "Drain");
            tab.confirm("Drain");
            Tab.seeText(row, "Drained");
            Tab.press(row, "Undrain");
            tab.confirm("Undrain");
            Tab.seeText(row, "Ready");
            Tab.press(row, "Remove");
            Tab.seeText(tab.dialog(), "It is out at once");
            tab.confirm("Remove");
            Tab.assertThat(row).isHidden();
            assertThat(stack.get(stack.router(), "/v1/pools/yard/prefillers").path("prefillers"))
                    .isEmpty();
            assertThat(tab.faults()).isEmpty();
        }
    }

    private void declare(String slot, String role, String settings) {
        stack.call(
                "PUT",
                stack.calibration(),
                "/v1/pools/yard/workers/" + slot,
                "{\"role\":\"" + role + "\",\"url\":\"http://127.0.0.1:9/" + slot + "\"," + settings + "}");
    }

    /** As the calibration service has it. */
    private JsonNode declared(String slot) {
        return stack.get(stack.calibration(), "/v1/pools/yard/workers")
                .valueStream()
                .filter(worker -> worker.path("slot").asString().equals(slot))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Tag("long")
    void aDrainOutlastsARestartOfTheRouter() {
        try (Tab tab = dashboard.as("operator")) {
            tab.go("/pools/yard/workers", "Workers");
            Locator row = tab.row("Workers of yard", "yard-0");
            for (int i = 0; i < 4; i++) {
                pool.reserve("before-" + i, Optional.empty());
            }
            Tab.press(row, "Drain");
            tab.confirm("Drain");
            Tab.seeText(row, "Draining");

            Assumptions.assumeTrue(stack.killRouter(), "the stack is not this test's");

            Tab.assertThat(row).isVisible();
            Awaitility.await("the router's return").atMost(OwnPool.PATIENCE).until(stack::routerAnswers);
            pool.awaitState("yard-0", "DRAINING");
            // What ran there is unknown to the new router; the drain itself is intent and stays.
            Tab.seeText(row, "Drained");
            Tab.press(row, "Undrain");
            tab.confirm("Undrain");
            pool.awaitState("yard-0", "READY");
            Tab.seeText(row, "Ready");
        }
    }

    @Test
    void anOperatorChangesHowAPoolIsRoutedAndAViewerDoesNot() {
        try (Tab tab = dashboard.as("operator")) {
            Locator card = tab.go("/", "Overview").card("yard");
            Tab.press(card, "Change routing");
            tab.dialog()
                    .getByLabel("Policy", new Locator.GetByLabelOptions().setExact(true))
                    .selectOption("jsq");
            tab.dialog()
                    .getByLabel("Tau", new Locator.GetByLabelOptions().setExact(true))
                    .fill("9");
            Tab.seeText(tab.dialog(), "{\"policy\":\"jsq\",\"tau\":9}");
            Tab.press(tab.dialog(), "Change");
            Tab.seeText(tab.dialog(), "tau");
            assertThat(policy()).as("nothing is half changed").isEqualTo("eldr");

            tab.dialog()
                    .getByLabel("Tau", new Locator.GetByLabelOptions().setExact(true))
                    .fill("0.25");
            tab.dialog().getByLabel("Shadow policy").selectOption("eldr");
            Tab.seeText(tab.dialog(), "curl -X PATCH");
            tab.confirm("Change");

            assertThat(policy()).isEqualTo("jsq");
            Tab.seeText(card, "jsq");
            Tab.seeText(card, "Shadow eldr");
            assertThat(stack.get(stack.calibration(), "/v1/pools/yard")
                            .at("/shadow/policy")
                            .asString())
                    .isEqualTo("eldr");
            assertThat(tab.faults()).isEmpty();
        }
        try (Tab tab = dashboard.as("viewer")) {
            Tab.assertThat(tab.go("/", "Overview")
                            .card("yard")
                            .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Change routing")))
                    .hasAttribute("aria-disabled", "true");
        }
    }

    private String policy() {
        return stack.get(stack.calibration(), "/v1/pools/yard").path("policy").asString();
    }
}
