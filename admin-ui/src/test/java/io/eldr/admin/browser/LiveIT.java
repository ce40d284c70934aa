package io.eldr.admin.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.eldr.admin.testing.FakeRouter;
import io.eldr.admin.testing.FakeService;
import io.eldr.admin.testing.TestAdmin;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** What the Overview shows, as it happens. */
@ExtendWith(RealDashboard.Provider.class)
class LiveIT {
    private static final Logger log = LoggerFactory.getLogger(LiveIT.class);
    /** 1,500 ms on an idle machine (docs/dashboard.md); a loaded one gets room. */
    private static final long MOST_MILLIS = 8_000;

    private final RealDashboard dashboard;
    private final RealStack stack;

    LiveIT(RealDashboard dashboard) {
        this.dashboard = dashboard;
        this.stack = dashboard.stack();
    }

    @Test
    void theLiveComparisonIsTheFirstThingOneSeesAndIsThereAtOnce() {
        try (Tab tab = dashboard.logIn("viewer")) {
            Tab.assertThat(tab.page().getByText("Expert locality against load alone, on the same traffic"))
                    .isVisible();
            tab.row("Decoders of demo", "decoder-0").waitFor();
            // Once more with a warm machine, as a person who comes back would have it; again where the machine stopped.
            long millis = Long.MAX_VALUE;
            for (int visit = 0; visit < 3 && millis >= MOST_MILLIS; visit++) {
                long start = System.nanoTime();
                tab.page().navigate(stack.dashboard() + "/");
                tab.row("Decoders of demo", "decoder-0").waitFor();
                millis = (System.nanoTime() - start) / 1_000_000;
            }
            log.info("first meaningful view after {} ms", millis);
            assertThat(millis).isLessThan(MOST_MILLIS);
            assertThat(tab.faults()).isEmpty();
        }
    }

    @Test
    void theLoadIsTheRoutersAndMovesWithIt() {
        OwnPool pool = OwnPool.make(stack, "live");
        try (Tab tab = dashboard.as("viewer").go("/", "Overview")) {
            List<String> reservations = IntStream.range(0, 5)
                    .mapToObj(i -> pool.reserve("busy-" + i, Optional.empty()))
                    .toList();
            assertThat(pool.decoders()
                            .valueStream()
                            .mapToInt(d -> d.path("inFlight").asInt())
                            .sum())
                    .isEqualTo(5);
            awaitShownAsTheRouterSays(tab, pool);
            assertThat(shown(tab, "live-0") + shown(tab, "live-1")).isEqualTo(5);

            reservations.forEach(pool::close);

            awaitShownAsTheRouterSays(tab, pool);
            assertThat(shown(tab, "live-0") + shown(tab, "live-1")).isZero();
        } finally {
            pool.delete();
        }
    }

    private static void awaitShownAsTheRouterSays(Tab tab, OwnPool pool) {
        Awaitility.await("the router's loads on the page")
                .atMost(OwnPool.PATIENCE)
                .untilAsserted(() -> {
                    for (JsonNode decoder : pool.decoders()) {
                        assertThat(shown(tab, decoder.path("id").asString()))
                                .isCloseTo(decoder.path("load").asDouble(), within(0.5));
                    }
                });
    }

    /** The load that the page shows of a decoder. */
    private static double shown(Tab tab, String decoder) {
        String text = tab.row("Decoders of live", decoder).innerText();
        Matcher numbers = Pattern.compile("(?m)^\\s*(\\d+)\\s*$").matcher(text);
        assertThat(numbers.find()).as("a load in '%s'", text).isTrue();
        return Double.parseDouble(numbers.group(1));
    }

    @Test
    void everyDecoderOfTheDemoTellsItsTokenTimeAndItsExperts() {
        try (Tab tab = dashboard.as("viewer").go("/", "Overview")) {
            Set<String> silent =
                    IntStream.range(0, 8).mapToObj(i -> "decoder-" + i).collect(Collectors.toSet());
            // One that few requests suit waits long for the next.
            Awaitility.await("a time and a number of experts for every decoder")
                    .atMost(Duration.ofMinutes(4))
                    .untilAsserted(() -> {
                        // Now and then one has nothing to do.
                        silent.removeIf(decoder -> Pattern.compile("\\d\\.\\d ms\\s+\\d+\\.\\d\\s+\\d+ %")
                                .matcher(tab.row("Decoders of demo", decoder).innerText())
                                .find());
                        assertThat(silent).isEmpty();
                    });
        }
    }

    @Test
    void saysWhatIsAwayAndWhatGoesOn() {
        FakeService calibration = FakeService.start();
        FakeRouter router = FakeRouter.start("alone").serves(1, 3, 4);
        calibration
                .on("GET /v1/routers", FakeRouter.list(router.registered("router-a")))
                .on("GET /v1/pools", "[]");
        try (TestAdmin admin = TestAdmin.start(calibration.address());
                Tab tab = dashboard.open(admin.address())) {
            tab.logIn("viewer", TestAdmin.passwordOf("viewer"));
            tab.row("Decoders of alone", "d-0").waitFor();

            calibration.close();

            Tab.seeText(tab.page().locator("main"), "The calibration service does not answer.");
            Tab.seeText(tab.page().locator("main"), "Routers go on with what they have");
            router.serves(1, 9, 4);
            Tab.seeText(tab.row("Decoders of alone", "d-0"), "10");

            router.close();

            Tab.seeText(tab.page().locator("main"), "No router answers for this pool");
            Tab.assertThat(tab.row("Decoders of alone", "d-0")).isVisible();
        }
        try (TestAdmin admin = TestAdmin.start(calibration.address());
                Tab tab = dashboard.open(admin.address())) {
            tab.logIn("viewer", TestAdmin.passwordOf("viewer"));
            Tab.assertThat(tab.page()
                            .getByRole(
                                    AriaRole.HEADING,
                                    new Page.GetByRoleOptions()
                                            .setName("No router is known while the calibration service is away")))
                    .isVisible();
        } finally {
            router.close();
        }
    }
}
