package io.eldr.admin.browser;

import static org.assertj.core.api.Assertions.assertThat;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** From samples to the version that routers serve, and back. */
@ExtendWith(RealDashboard.Provider.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ArtifactsIT {
    private final RealDashboard dashboard;
    private final RealStack stack;
    private OwnPool pool;

    ArtifactsIT(RealDashboard dashboard) {
        this.dashboard = dashboard;
        this.stack = dashboard.stack();
        this.pool = OwnPool.make(stack, "ledger");
    }

    @BeforeAll
    void makeAVersion() {
        pool = pool.withSamples(60, "r-", "topic ").refitted();
    }

    @AfterAll
    void delete() {
        pool.delete();
    }

    @Test
    void anAdminRefitsActivatesAndRollsBack() {
        try (Tab tab = dashboard.as("admin")) {
            int before = pool.activeVersion();
            tab.go("/pools/ledger/refits", "Refits");
            tab.button("Start a refit").click();
            tab.dialog().getByText("Override the gate").click();
            tab.confirm("Start");
            tab.see("Refit #");
            int after = pool.awaitVersionAfter(before);
            Tab.seeText(tab.page().locator("main"), "Succeeded");

            tab.go("/pools/ledger/artifacts", "Artifacts");
            Tab.seeText(tab.row("Artifact versions of ledger", "v" + after), "active");
            tab.button("Roll back").click();
            Tab.seeText(tab.dialog(), "curl -X POST");
            Tab.seeText(tab.dialog(), "/v1/pools/ledger/rollback");
            tab.confirm("Roll back");

            assertThat(pool.activeVersion()).isEqualTo(before);
            Tab.seeText(tab.row("Artifact versions of ledger", "v" + before), "active");
            Awaitility.await("the router's version")
                    .atMost(OwnPool.PATIENCE)
                    .until(() -> pool.servedVersion() == before);
            JsonNode entry = stack.get(stack.calibration(), "/v1/audit?pool=ledger&limit=1")
                    .get(0);
            assertThat(entry.path("action").asString()).isEqualTo("artifact.rollback");
            assertThat(entry.path("actor").asString()).isEqualTo("admin");
            assertThat(entry.path("actingThrough").asString()).isEqualTo("dashboard");
            assertThat(tab.faults()).isEmpty();
        }
    }

    @Test
    void ofTwoOperatorsWhoActivateAtOnceOneWinsAndTheOtherSeesWhy() {
        pool.refitted();
        int newest = pool.activeVersion();
        pool.activate(1);
        pool.activate(newest);
        try (Tab winner = dashboard.as("operator");
                Tab loser = dashboard.as("admin")) {
            for (Tab tab : new Tab[] {winner, loser}) {
                tab.go("/pools/ledger/artifacts", "Artifacts");
                Tab.press(tab.row("Artifact versions of ledger", "v1"), "Activate");
                Tab.seeText(tab.dialog(), "Activate version 1?");
            }

            winner.confirm("Activate v1");
            Tab.press(loser.dialog(), "Activate v1");

            Tab.seeText(loser.dialog(), "Somebody was faster");
            Tab.press(loser.dialog(), "Not now");
            Tab.seeText(loser.row("Artifact versions of ledger", "v1"), "active");
            assertThat(pool.activeVersion()).isEqualTo(1);
            JsonNode entries = stack.get(stack.calibration(), "/v1/audit?pool=ledger&limit=1");
            assertThat(entries.get(0).path("actor").asString()).isEqualTo("operator");
        }
    }
}
