package io.eldr.engine.http;

import static io.eldr.engine.testing.WorkerClient.lasting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.engine.cluster.Cluster;
import io.eldr.engine.cluster.SimulatedWorker;
import io.eldr.engine.metrics.WorkerGauges;
import io.eldr.engine.testing.TestCluster;
import io.eldr.engine.testing.WorkerClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A worker of several data-parallel ranks. */
class RanksTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private final Cluster cluster =
            TestCluster.of(0, 1).withRanks(3).withMaxSequences(5).start();
    private final WorkerClient client = new WorkerClient();

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    @Test
    void requestsRunOnTheRankThatTheyNameOrElseOnTheLeastLoaded() throws Exception {
        List<CompletableFuture<?>> running = new ArrayList<>();
        running.add(client.postLater(worker(), "/v1/completions", lasting("a", LONG), "2"));
        running.add(client.postLater(worker(), "/v1/completions", lasting("b", LONG), "2"));
        await().until(() -> requests().equals(List.of(0, 0, 2)));
        for (int i = 1; i <= 4; i++) {
            int all = 2 + i;
            running.add(client.postLater(worker(), "/v1/completions", lasting("c" + i, LONG)));
            await().until(() -> requests().stream().mapToInt(Integer::intValue).sum() == all);
        }

        assertThat(requests()).containsExactly(2, 2, 2);
        String page = client.get(worker(), "/metrics").body();
        assertThat(page)
                .contains("vllm:num_requests_running{engine=\"0\",model_name=\"tiny \\\"moe\\\"\"} 2.0")
                .contains("vllm:num_requests_running{engine=\"2\",model_name=\"tiny \\\"moe\\\"\"} 2.0");
        assertThat(worker().gauges().running()).isEqualTo(5);
        assertThat(worker().gauges().waiting()).isEqualTo(1);
        assertThat(running).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void aRankThatIsNotThereIsRefusedAndWhatIsNoNumberIsNotHeard() {
        assertThat(client.postLater(worker(), "/v1/completions", WorkerClient.completion("x", 2), "3")
                        .join())
                .satisfies(refused -> {
                    assertThat(refused.statusCode()).isEqualTo(400);
                    assertThat(refused.body()).contains("data_parallel_rank 3 is out of range [0, 3).");
                });
        assertThat(client.postLater(worker(), "/v1/completions", WorkerClient.completion("x", 2), "first")
                        .join()
                        .statusCode())
                .isEqualTo(200);
    }

    private SimulatedWorker worker() {
        return cluster.decoder(0);
    }

    private List<Integer> requests() {
        return worker().gauges().ranks().stream()
                .map(WorkerGauges.Rank::requests)
                .toList();
    }
}
