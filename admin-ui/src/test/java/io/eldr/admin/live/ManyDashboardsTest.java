package io.eldr.admin.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.admin.testing.Browser;
import io.eldr.admin.testing.Events;
import io.eldr.admin.testing.FakeRouter;
import io.eldr.admin.testing.FakeService;
import io.eldr.admin.testing.TestAdmin;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Fifty people watch a pool of 200 decoders. */
class ManyDashboardsTest {
    private static final int DASHBOARDS = 50;
    private static final int DECODERS = 200;
    private static final int STATES = 20;
    private static final long MEGABYTE = 1 << 20;

    @Test
    void fiftyDashboardsCostAFewMegabytes() throws Exception {
        try (FakeService calibration = FakeService.start();
                FakeRouter router = FakeRouter.start("large")
                        .serves(1, IntStream.range(0, DECODERS).toArray());
                TestAdmin admin = TestAdmin.start(calibration.address())) {
            calibration.on("GET /v1/routers", FakeRouter.list(router.registered("router-a")));
            Browser browser = admin.browserOf("viewer");
            long before = heapWhileWatched(browser, 1);

            long during = heapWhileWatched(browser, DASHBOARDS);

            assertThat((during - before) / (double) MEGABYTE)
                    .as("heap growth with %d dashboards in MB, their browsers' side included", DASHBOARDS)
                    .isLessThan(50);
        }
    }

    /** Opens dashboards, waits until each has seen 20 whole states, and measures while all are open. */
    private long heapWhileWatched(Browser browser, int dashboards) throws Exception {
        List<Events> open = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < dashboards; i++) {
                open.add(new Events(browser.open("/api/stream")));
            }
            List<Future<?>> read = new ArrayList<>();
            open.forEach(events -> read.add(threads.submit(() -> readWholeStates(events))));
            for (Future<?> one : read) {
                one.get();
            }
            return usedHeap();
        } finally {
            open.forEach(Events::close);
        }
    }

    private static void readWholeStates(Events events) {
        int whole = 0;
        while (whole < STATES) {
            JsonNode decoders = events.next().json().path("pools").path(0).path("decoders");
            whole += decoders.size() == DECODERS ? 1 : 0;
        }
    }

    /** What stays after a collection. */
    private static long usedHeap() {
        ManagementFactory.getMemoryMXBean().gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
