package io.eldr.admin.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.LocatorAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a pool would do otherwise. */
@ExtendWith(RealDashboard.Provider.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WhatIfIT {
    private final RealDashboard dashboard;
    private OwnPool pool;

    WhatIfIT(RealDashboard dashboard) {
        this.dashboard = dashboard;
        this.pool = OwnPool.make(dashboard.stack(), "study");
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
    void anOperatorAsksAndIsShownEveryPolicysFigures() {
        try (Tab tab = dashboard.as("operator")) {
            tab.go("/pools/study/what-if", "What-if");
            tab.button("Ask").click();
            for (String policy : new String[] {"union", "domain", "p2c", "random"}) {
                tab.dialog()
                        .getByLabel(policy, new Locator.GetByLabelOptions().setExact(true))
                        .uncheck();
            }
            tab.dialog().getByLabel("Seeds").fill("2");
            tab.confirm("Evaluate");

            Locator runs = tab.table("Runs");
            Tab.assertThat(runs).isVisible(new LocatorAssertions.IsVisibleOptions().setTimeout(Tab.LONG_MILLIS));
            for (String policy : new String[] {"eldr", "jsq", "round-robin"}) {
                Tab.seeText(runs, policy);
            }
            Tab.seeText(runs, " ms");
            Tab.seeText(tab.table("Evaluations of study"), "Done");
            assertThat(tab.faults()).isEmpty();
        }
    }
}
