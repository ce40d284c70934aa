package io.eldr.router.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.router.testing.FakeDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnginePageTest {

    private static final String VLLM = """
            # HELP vllm:num_requests_running Number of requests in model execution batches.
            # TYPE vllm:num_requests_running gauge
            vllm:num_requests_running{engine="0",model_name="a \\"quoted\\" {name}, and\\\\"} 3.0
            vllm:num_requests_running{engine="1",model_name="m"} 4.0
            vllm:num_requests_waiting{engine="0",model_name="m"} 1.0
            vllm:num_requests_waiting{engine="1",model_name="m"} 1e1 1700000000000
            vllm:num_requests_waiting_by_reason{engine="1",reason="capacity"} 99.0
            vllm:kv_cache_usage_perc{engine="0",model_name="m"} 0.25
            vllm:kv_cache_usage_perc{engine="1",model_name="m"} 0.5
            vllm:request_time_per_output_token_seconds_bucket{engine="0",le="0.025",model_name="m"} 5.0
            vllm:request_time_per_output_token_seconds_bucket{engine="0",le="+Inf",model_name="m"} 8.0
            vllm:request_time_per_output_token_seconds_count{engine="0",model_name="m"} 8.0
            vllm:request_time_per_output_token_seconds_sum{engine="0",model_name="m"} 0.2
            vllm:request_time_per_output_token_seconds_bucket{engine="1",le="0.025",model_name="m"} 1.0
            vllm:request_time_per_output_token_seconds_bucket{engine="1",le="+Inf",model_name="m"} 2.0
            vllm:request_time_per_output_token_seconds_count{engine="1",model_name="m"} 2.0
            vllm:request_time_per_output_token_seconds_sum{engine="1",model_name="m"} 0.1
            vllm:request_time_per_output_token_seconds_created{engine="1",model_name="m"} 1.7e+09
            eldr:decode_steps_total{engine="0"} 10.0
            eldr:decode_steps_total{engine="1"} 30.0
            eldr:decode_step_experts_total{engine="0"} 500.0
            eldr:decode_step_experts_total{engine="1"} 700.0
            process_cpu_seconds_total 12.5
            """;

    @Test
    void vllmsNumbersAreThoseOfAllItsRanks() {
        EngineLoad load = read(VLLM).orElseThrow();

        assertThat(load.running()).isEqualTo(7);
        assertThat(load.waiting()).isEqualTo(11);
        assertThat(load.requests()).isEqualTo(18);
        assertThat(load.requestsByRank()).containsExactly(4, 14);
        assertThat(load.kvUse()).hasValue(0.5);
        TokenTimes times = load.tokenTimes().orElseThrow();
        assertThat(times.requests()).isEqualTo(10);
        assertThat(times.seconds()).isBetween(0.299, 0.301);
        TreeMap<Double, Double> upTo = new TreeMap<>();
        upTo.put(0.025, 6.0);
        upTo.put(Double.POSITIVE_INFINITY, 10.0);
        assertThat(times.upTo()).isEqualTo(upTo);
        assertThat(load.stepExperts()).contains(new StepExperts(1_200, 40));
    }

    @Test
    void sglangsNumbersAreReadAsWell() {
        EngineLoad load = read("""
                        sglang:num_running_reqs{model_name="m",dp_rank="0"} 2
                        sglang:num_running_reqs{model_name="m",dp_rank="1"} 3
                        sglang:num_queue_reqs{model_name="m"} 4
                        sglang:token_usage{model_name="m"} 0.75
                        sglang:num_running_reqs_total 1000""").orElseThrow();

        assertThat(load.running()).isEqualTo(5);
        assertThat(load.waiting()).isEqualTo(4);
        assertThat(load.requestsByRank()).containsExactly(2, 3);
        assertThat(load.kvUse()).hasValue(0.75);
        assertThat(load.tokenTimes()).isEmpty();
        assertThat(load.stepExperts()).isEmpty();
    }

    @Test
    void labelsMayBeAbsent() {
        assertThat(read("vllm:num_requests_running 2\nvllm:num_requests_waiting\t3\n"))
                .map(EngineLoad::requests)
                .contains(5);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<html>502</html>",
                "vllm:num_requests_running{engine=\"0\"} 3.0\n",
                "vllm:num_requests_running{engine=\"0\"} NaN\nvllm:num_requests_waiting 1\n",
                "vllm:num_requests_running{engine=\"0\"} -1\nvllm:num_requests_waiting 1\n",
                "vllm:num_requests_running{engine=\"0\"} +Inf\nvllm:num_requests_waiting 1\n",
                "vllm:num_requests_running{engine=\"0\"} 1e300\nvllm:num_requests_waiting 1\n",
                "vllm:num_requests_running{engine=\"0\"} many\nvllm:num_requests_waiting 1\n",
                "vllm:num_requests_running{engine=\"0\"}\nvllm:num_requests_waiting 1\n",
                "vllm:num_requests_running{engine=\"0 3.0\nvllm:num_requests_waiting 1\n",
                "vllm:num_requests_running{engine} 3.0\nvllm:num_requests_waiting 1\n",
                "vllm:num_requests_running{engine=\nvllm:num_requests_waiting 1\n"
            })
    void aPageThatDoesNotSayHowLoadedTheEngineIsSaysNothing(String page) {
        assertThat(read(page)).isEmpty();
    }

    @Test
    void aLineWithoutEndTakesNoMemory() {
        EnginePage page = new EnginePage();
        page.feed(bytes("vllm:num_requests_waiting 1\nvllm:num_requests_running{engine=\""));
        byte[] more = new byte[1 << 16];
        Arrays.fill(more, (byte) 'x');
        for (int i = 0; i < 64; i++) {
            page.feed(more);
        }

        assertThat(page.end()).isEmpty();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void whereThePageIsCutMakesNoDifference(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] all = bytes(VLLM + FakeDecoder.manyOtherSeries());
        EngineLoad whole = read(VLLM + FakeDecoder.manyOtherSeries()).orElseThrow();
        for (int i = 0; i < 50; i++) {
            EnginePage page = new EnginePage();
            int longest = 1 + random.nextInt(i < 25 ? 40 : 9_000);
            for (int at = 0; at < all.length; ) {
                int next = Math.min(all.length, at + 1 + random.nextInt(longest));
                page.feed(Arrays.copyOfRange(all, at, next));
                at = next;
            }
            assertThat(page.end()).contains(whole);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void noPageMakesItFail(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] good = bytes(VLLM);
        for (int i = 0; i < 2_000; i++) {
            byte[] page = good.clone();
            for (int change = 0; change < 20; change++) {
                page[random.nextInt(page.length)] = (byte) random.nextInt(256);
            }
            EnginePage read = new EnginePage();
            read.feed(page);
            read.end().ifPresent(load -> assertThat(load.requests()).isNotNegative());
        }
    }

    private static Optional<EngineLoad> read(String text) {
        EnginePage page = new EnginePage();
        page.feed(bytes(text));
        return page.end();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
