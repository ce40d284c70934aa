package io.eldr.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.engine.testing.TestCluster;
import io.eldr.engine.testing.WorkerClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** One process holds thousands of streams. */
@Timeout(240)
class ManyStreamsTest {
    private static final int STREAMS = 2_500;
    private static final int WORKERS = 4;

    @Test
    void twentyFiveHundredStreamsRunAtOnceAndAllEnd() {
        ConnectionProvider connections = ConnectionProvider.create("streams", STREAMS);
        try (Cluster cluster =
                TestCluster.of(0, WORKERS).withMaxSequences(1_000).start()) {
            HttpClient http = HttpClient.create(connections);
            String body =
                    WorkerClient.lasting("one of many", Duration.ofHours(1)).toString();

            Mono<Long> completed = Flux.range(0, STREAMS)
                    .flatMap(
                            i -> http.post()
                                    .uri(cluster.decoder(i % WORKERS).url() + "/v1/completions")
                                    .send(ByteBufFlux.fromString(Mono.just(body)))
                                    .responseContent()
                                    .aggregate()
                                    .asString()
                                    .filter(answer -> answer.endsWith("data: [DONE]\n\n")),
                            STREAMS)
                    .count();
            var result = completed.toFuture();

            await().atMost(Duration.ofMinutes(2)).until(() -> running(cluster) == STREAMS);
            cluster.workers().forEach(SimulatedWorker::finishHeld);
            assertThat(result.join()).isEqualTo(STREAMS);
            assertThat(running(cluster)).isZero();
        } finally {
            connections.disposeLater().block();
        }
    }

    private static int running(Cluster cluster) {
        return cluster.workers().stream()
                .mapToInt(worker -> worker.gauges().running())
                .sum();
    }
}
