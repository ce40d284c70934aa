package io.eldr.router.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.router.testing.Fleet;
import io.eldr.router.testing.Fleet.Running;
import io.eldr.router.testing.Fleet.ServedPool;
import io.eldr.router.testing.RouterCalls;
import io.eldr.router.testing.RouterProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Four routers, each a process of its own, behind one address that share eight decoders, and see each other's load in what
 * engines report.
 */
class FleetTest {

    private static final int DECODERS = 8;
    private static final int BURST = 64;

    private static final int ROUTERS = 4;

    private static Fleet<RouterProcess> fleet;
    private static List<RouterProcess> routers;

    @BeforeAll
    static void start() {
        fleet = Fleet.ofProcesses(ROUTERS);
        routers = fleet.routers();
    }

    @AfterAll
    static void stop() {
        fleet.close();
    }

    @Test
    void decodersThatOneRouterFilledAreLeftAloneByTheOthersUntilAllAreLevel() {
        try (ServedPool pool = fleet.pool("filled", DECODERS)) {
            fillTwo(pool, routers.getFirst());
            List<RouterProcess> others = routers.subList(1, ROUTERS);
            pool.awaitRunning(others, 20, 20, 0, 0, 0, 0, 0, 0);

            List<Running> sent = new ArrayList<>();
            for (int i = 0; i < BURST; i++) {
                sent.add(pool.send(others.get(i % others.size()), "other-" + i));
            }

            assertThat(sent.stream().filter(each -> each.decoder() < 2)).hasSizeLessThanOrEqualTo(2);
            assertThat(Arrays.stream(pool.running()).max().orElseThrow()).isLessThanOrEqualTo(22);
        }
    }

    @Test
    void trafficSplitNinetyToTenStaysLevel() {
        try (ServedPool pool = fleet.pool("split", DECODERS)) {
            List<Running> running = new ArrayList<>();
            for (int i = 0; i < 160; i++) {
                RouterCalls router = i % 10 == 9 ? routers.get(1 + i / 10 % 3) : routers.getFirst();
                running.add(pool.send(router, "split-" + i));
                if (running.size() > BURST) {
                    running.removeFirst().complete();
                }
            }

            assertThat(worstOverMean(pool.running())).isLessThanOrEqualTo(2);
            running.forEach(Running::complete);
            assertThat(pool.running()).containsOnly(0);
        }
    }

    @Test
    void aBurstOnIdleDecodersThroughFourReplicasGivesTheWorstAtMostTwiceTheMean() throws Exception {
        try (ServedPool pool = fleet.pool("burst", DECODERS)) {
            List<Running> running = new ArrayList<>();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<Running>> sent = new ArrayList<>();
                for (int i = 0; i < BURST; i++) {
                    RouterCalls router = routers.get(i % ROUTERS);
                    String requestId = "burst-" + i;
                    sent.add(threads.submit(() -> pool.send(router, requestId)));
                }
                for (Future<Running> each : sent) {
                    running.add(each.get());
                }
            }

            assertThat(worstOverMean(pool.running())).isLessThanOrEqualTo(2);
            assertThat(routers.stream()
                            .mapToInt(router -> open(router, "burst"))
                            .sum())
                    .as("what routers count themselves sums up to what runs")
                    .isEqualTo(BURST);
            pool.awaitRunning(routers, pool.running());
            // Through whatever router.
            for (int i = 0; i < BURST; i++) {
                running.get(i).complete(routers.get((i + 1) % ROUTERS));
            }
            for (RouterProcess router : routers) {
                assertThat(router.get("/v1/pools/burst/decoders").json().path("decoders"))
                        .allSatisfy(decoder ->
                                assertThat(decoder.path("inFlight").asInt()).isZero());
            }
        }
    }

    @Test
    void theRequestsOfARouterThatWasKilledStillCountWhereTheyRunAndGoWhenTheyEnd() {
        try (ServedPool pool = fleet.pool("killed", DECODERS);
                RouterProcess doomed = fleet.start("router-doomed")) {
            fleet.awaitRouters(ROUTERS + 1);
            List<Running> left = fillTwo(pool, doomed);
            RouterProcess alive = routers.getFirst();
            String renewed = "/v1/reservations/" + left.getFirst().reservation() + "/renew";
            assertThat(alive.post(renewed).status()).isEqualTo(200);

            doomed.kill();

            pool.awaitRunning(routers, 20, 20, 0, 0, 0, 0, 0, 0);
            // It is still thought to live, and not reached.
            assertThat(alive.post(renewed).status()).isEqualTo(410);
            left.getFirst().complete(alive);
            fleet.awaitRouters(ROUTERS);
            // Now it is known to be dead.
            assertThat(alive.post(renewed).status()).isEqualTo(410);
            left.get(1).complete(alive);
            List<Running> sent = new ArrayList<>();
            for (int i = 0; i < BURST; i++) {
                sent.add(pool.send(routers.get(i % ROUTERS), "after-" + i));
            }
            assertThat(sent.stream().filter(each -> each.decoder() < 2)).hasSizeLessThanOrEqualTo(2);

            left.subList(2, left.size()).forEach(each -> each.engine().end());
            int[] running = pool.running();
            pool.awaitRunning(routers, running);
            for (int i = 0; i < 8; i++) {
                assertThat(pool.send(routers.get(i % ROUTERS), "last-" + i).decoder())
                        .isLessThan(2);
            }
        }
    }

    @Test
    void theLoadOfADecoderThatIsNotReadyForMetricsIsJudgedByTheSameKindOfNumber() {
        try (ServedPool pool = fleet.pool("mixed", DECODERS)) {
            pool.engines().getFirst().metrics(500);
            RouterProcess router = routers.getFirst();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> !router.get("/v1/pools/mixed/decoders")
                            .json()
                            .at("/decoders/0/engine/counts")
                            .asBoolean(true));
            for (int i = 0; i < 3; i++) {
                pool.send(router, "mixed-" + i, "candidates", List.of("decoder-0"));
            }
            // How many routers there are may be found out anew meanwhile.
            await().untilAsserted(() -> assertThat(router.get("/v1/pools/mixed/decoders")
                            .json()
                            .at("/decoders/0/load")
                            .asDouble())
                    .isEqualTo(3.0 * router.metric("eldr_router_replicas").orElseThrow()));
        }
    }

    private static List<Running> fillTwo(ServedPool pool, RouterCalls router) {
        List<Running> running = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            running.add(pool.send(router, "long-" + i, "candidates", List.of("decoder-" + i % 2)));
        }
        assertThat(pool.running()).startsWith(20, 20);
        return running;
    }

    private static int open(RouterProcess router, String pool) {
        return (int) router.metric("eldr_router_reservations_open{pool=\"" + pool + "\"}")
                .orElse(0);
    }

    private static double worstOverMean(int[] running) {
        return Arrays.stream(running).max().orElseThrow()
                / Arrays.stream(running).average().orElseThrow();
    }
}
