package io.eldr.router.gateway;

import static io.eldr.router.testing.GatewayClient.COMPLETIONS;
import static io.eldr.router.testing.GatewayClient.completion;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.engine.metrics.WorkerGauges;
import io.eldr.router.testing.GatewayClient;
import io.eldr.router.testing.SimulatedPool;
import io.eldr.router.worker.Ranks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Decode workers of several data-parallel ranks: which of them gets a request. */
class GatewayRanksTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private final GatewayClient client = GatewayClient.ofRouter();

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void requestsGoToTheRankWithTheLeastLoadWhoeverSentWhatRunsThere() {
        try (SimulatedPool pool = SimulatedPool.engines(1, 1).ranks(3).serve();
                GatewayClient direct = new GatewayClient(pool.decoder(0).url())) {
            List<CompletableFuture<?>> running = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                ObjectNode body = lasting(SimulatedPool.SERVED, "of somebody else " + i);
                running.add(direct.sendLater(
                        direct.request(COMPLETIONS, body.toString()).header("X-data-parallel-rank", "1")));
            }
            await().until(() -> requests(pool).equals(List.of(0, 3, 0)));
            await().until(() -> reported(pool).equals(List.of(0, 3, 0)));

            for (int i = 0; i < 6; i++) {
                running.add(client.completeLater(lasting(pool.name(), "mine " + i)));
            }

            await().until(() -> requests(pool).equals(List.of(3, 3, 3)));
            assertThat(ranks(pool)).containsExactly(3, 0, 3);
            pool.decoder(0).finishHeld();
            running.forEach(CompletableFuture::join);
            await().until(() -> ranks(pool).equals(List.of(0, 0, 0)));
            pool.awaitIdle();
        }
    }

    @Test
    void aClientThatLeavesLeavesItsRank() {
        try (SimulatedPool pool = SimulatedPool.engines(1, 1).ranks(2).serve()) {
            await().until(() -> ranks(pool).size() == 2);
            try (GatewayClient leaving = GatewayClient.ofRouter()) {
                List<CompletableFuture<?>> running = List.of(
                        leaving.completeLater(lasting(pool.name(), "leaves")),
                        leaving.completeLater(lasting(pool.name(), "leaves too")));
                await().until(() -> ranks(pool).equals(List.of(1, 1)));
                assertThat(running).noneMatch(CompletableFuture::isDone);
            }

            await().until(() -> ranks(pool).equals(List.of(0, 0)));
            pool.awaitIdle();
        }
    }

    @Test
    void aRankThatAClientNamesStaysAtTheGatewayAndWorkersOfOneRankGetNone() {
        try (SimulatedPool pool = SimulatedPool.engines(1, 1).serve()) {
            String body = completion(pool.name(), "which rank", 4).toString();

            // The engine refuses ranks that it does not have.
            assertThat(client.send(client.request(COMPLETIONS, body).header("X-data-parallel-rank", "7"))
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    private static ObjectNode lasting(String model, String prompt) {
        ObjectNode body = completion(model, prompt, 4).put("stream", true);
        body.putObject("sim").put("duration_ms", LONG.toMillis());
        return body;
    }

    /** What runs or waits on each of the decode worker's ranks. */
    private static List<Integer> requests(SimulatedPool pool) {
        return pool.decoder(0).gauges().ranks().stream()
                .map(WorkerGauges.Rank::requests)
                .toList();
    }

    private static List<Integer> reported(SimulatedPool pool) {
        return ROUTER.get("/v1/pools/" + pool.name() + "/decoders")
                .json()
                .path("decoders")
                .path(0)
                .path("engine")
                .path("requestsByRank")
                .valueStream()
                .map(count -> count.asInt())
                .toList();
    }

    /** What the router itself has on each of them. */
    private static List<Integer> ranks(SimulatedPool pool) {
        return ROUTER.bean(Ranks.class)
                .inFlight(pool.pool().state().decoders().getFirst().incarnation());
    }
}
