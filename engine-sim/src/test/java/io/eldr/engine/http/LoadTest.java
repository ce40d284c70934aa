package io.eldr.engine.http;

import static io.eldr.engine.testing.WorkerClient.completion;
import static io.eldr.engine.testing.WorkerClient.lasting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.engine.cluster.Cluster;
import io.eldr.engine.cluster.SimulatedWorker;
import io.eldr.engine.request.FinishReason;
import io.eldr.engine.testing.TestCluster;
import io.eldr.engine.testing.WorkerClient;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a worker tells about its load, and that clients who leave are no load. */
@Timeout(240)
class LoadTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private Cluster cluster;
    private WorkerClient client;

    @BeforeEach
    void start() {
        cluster = TestCluster.of(0, 1).withMaxSequences(3).start();
        client = new WorkerClient();
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    @Test
    void requestsOfAGivenDurationRunOrWaitForAPlace() throws Exception {
        List<CompletableFuture<?>> requests = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            requests.add(client.postLater(worker(), "/v1/completions", lasting("r" + i, LONG)));
        }
        await().untilAsserted(() -> {
            assertThat(metric("vllm:num_requests_running")).isEqualTo(3);
            assertThat(metric("vllm:num_requests_waiting")).isEqualTo(2);
            assertThat(metric("vllm:kv_cache_usage_perc")).isPositive();
        });

        client.close();

        await().untilAsserted(() -> {
            assertThat(metric("vllm:num_requests_running")).isZero();
            assertThat(metric("vllm:num_requests_waiting")).isZero();
            assertThat(worker().metrics().ended(FinishReason.ABORT)).isEqualTo(5);
        });
        await().untilAsserted(() -> assertThat(requests).allMatch(CompletableFuture::isDone));
    }

    @Test
    void aRequestOfAGivenDurationSendsItsTokensAndEnds() throws Exception {
        List<String> events = client.events(worker(), "/v1/completions", lasting("short", Duration.ofMillis(40)));

        assertThat(events).hasSize(5).endsWith("[DONE]");
        assertThat(metric("vllm:num_requests_running")).isZero();
    }

    @Test
    void requestsOfAGivenDurationEndAtOnceWhenTold() throws Exception {
        CompletableFuture<HttpResponse<String>> request =
                client.postLater(worker(), "/v1/completions", lasting("long", LONG));
        await().until(() -> metric("vllm:num_requests_running") == 1);

        assertThat(client.post(worker(), "/sim/finish", "").statusCode()).isEqualTo(200);

        assertThat(WorkerClient.events(request.join().body())).hasSize(5).endsWith("[DONE]");
    }

    @Test
    void aClientThatLeavesBeforeTheFirstByteIsNoLoad() throws Exception {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), worker().url().getPort())) {
            String body = lasting("gone", LONG).put("stream", false).toString();
            socket.getOutputStream()
                    .write(("POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n"
                                    + body)
                            .getBytes(StandardCharsets.US_ASCII));
            await().until(() -> metric("vllm:num_requests_running") == 1);
        }

        await().until(() -> metric("vllm:num_requests_running") == 0);
    }

    @Test
    void thePageHasVllmsSeriesAndIsAsLongAsARealOne() throws Exception {
        client.complete(worker(), completion("count me", 9));

        String page = client.get(worker(), "/metrics").body();

        assertThat(page.length()).isGreaterThan(40 << 10);
        assertThat(page)
                .contains("vllm:num_requests_running{engine=\"0\",model_name=\"tiny \\\"moe\\\"\"} 0.0")
                .contains("vllm:num_preemptions_total{", "vllm:nixl_num_failed_transfers_total{")
                .contains("vllm:nixl_num_kv_expired_reqs_total{", "vllm:inter_token_latency_seconds_bucket{")
                .contains("vllm:time_to_first_token_seconds_bucket{engine=\"0\",le=\"0.001\",model_name=");
        assertThat(metric("vllm:request_time_per_output_token_seconds_count")).isEqualTo(1);
        assertThat(metric("vllm:generation_tokens_total")).isEqualTo(9);
        assertThat(metric("vllm:prompt_tokens_total")).isEqualTo(2);
        assertThat(page).contains("finished_reason=\"length\",model_name=\"tiny \\\"moe\\\"\"} 1.0");
    }

    /** A lone request's token takes what the model says of its own experts, whatever the machine does. */
    @Test
    void timesAreTheModels() throws Exception {
        client.complete(worker(), completion("how long", 30));

        double mean = metric("vllm:request_time_per_output_token_seconds_sum")
                / metric("vllm:request_time_per_output_token_seconds_count");
        assertThat(mean).isBetween(0.005, 0.012);
    }

    private SimulatedWorker worker() {
        return cluster.decoder(0);
    }

    private double metric(String name) throws Exception {
        try (WorkerClient scraper = new WorkerClient()) {
            String page = scraper.get(worker(), "/metrics").body();
            Matcher matcher = Pattern.compile("^" + Pattern.quote(name) + "\\{[^}]*} (.*)$", Pattern.MULTILINE)
                    .matcher(page);
            assertThat(matcher.find()).as(name).isTrue();
            return Double.parseDouble(matcher.group(1));
        }
    }
}
