package io.eldr.admin.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import io.eldr.admin.testing.FakeRouter;
import io.eldr.admin.testing.FakeService;
import io.eldr.admin.testing.TestAdmin;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hundreds of decoders in one pool. */
@ExtendWith(RealDashboard.Provider.class)
class ManyDecodersIT {
    private static final Logger log = LoggerFactory.getLogger(ManyDecodersIT.class);
    private static final int SECONDS = 8;

    private final RealDashboard dashboard;

    ManyDecodersIT(RealDashboard dashboard) {
        this.dashboard = dashboard;
    }

    @Test
    void twoHundredAtOneHertzLeaveTheBrowserIdle() {
        try (Large large = new Large(200)) {
            Tab tab = large.tab;
            tab.table("Decoders of large").getByRole(AriaRole.ROW).nth(1).waitFor();
            BrowserCost cost = BrowserCost.of(tab.page());
            cost.begin();
            for (int second = 1; second <= SECONDS; second++) {
                large.loads(second);
                tab.page().waitForTimeout(1_000);
            }
            double share = cost.share();
            log.info("200 decoders at 1 Hz take {} % of a core in the browser", Math.round(1_000 * share) / 10.0);
            // 10 % on an idle machine (docs/dashboard.md); time is wall time there, so a loaded one gets room.
            assertThat(share).isLessThan(0.4);
        }
    }

    @Test
    void fiveHundredStayInReach() {
        try (Large large = new Large(500)) {
            Tab tab = large.tab;
            long start = System.nanoTime();
            tab.page().reload();
            Locator rows = tab.table("Decoders of large").getByRole(AriaRole.ROW);
            rows.nth(1).waitFor();
            log.info("500 decoders are there after {} ms", (System.nanoTime() - start) / 1_000_000);
            assertThat(rows.count()).as("rows in the document").isLessThan(60);
            // The busiest first.
            Tab.seeText(rows.nth(1), "d-499");

            tab.page().getByLabel("Find a decoder").fill("d-123");
            Tab.assertThat(rows).hasCount(2);
            Tab.seeText(rows.nth(1), "d-123");
            tab.page().getByLabel("Find a decoder").fill("");

            Locator scroll = tab.page().getByLabel("Decoders of large, scrollable");
            scroll.evaluate("element => element.scrollTo(0, element.scrollHeight)");
            tab.row("Decoders of large", "d-0").waitFor();
            assertThat(tab.faults()).isEmpty();
        }
    }

    /** A dashboard before one router with one large pool. */
    private final class Large implements AutoCloseable {
        private final FakeService calibration = FakeService.start();
        private final int size;
        private final FakeRouter router;
        private final TestAdmin admin;
        private final Tab tab;

        Large(int size) {
            this.size = size;
            this.router = FakeRouter.start("large");
            router.serves(1, IntStream.range(0, size).toArray());
            calibration
                    .on("GET /v1/routers", FakeRouter.list(router.registered("router-a")))
                    .on("GET /v1/pools", "[]");
            this.admin = TestAdmin.start(calibration.address(), "eldr.admin.live.interval=1s");
            this.tab = dashboard.open(admin.address()).logIn("viewer", TestAdmin.passwordOf("viewer"));
        }

        /** All of them change. */
        void loads(int second) {
            router.serves(
                    1, IntStream.range(0, size).map(i -> (i + second * 7) % 40).toArray());
        }

        @Override
        public void close() {
            tab.close();
            admin.close();
            router.close();
            calibration.close();
        }
    }
}
