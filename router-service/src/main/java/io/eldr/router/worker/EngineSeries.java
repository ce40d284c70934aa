package io.eldr.router.worker;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The series of an engine's metrics that the router reads, by the names that vLLM and SGLang give them. */
enum EngineSeries {
    RUNNING("vllm:num_requests_running", "sglang:num_running_reqs"),
    WAITING("vllm:num_requests_waiting", "sglang:num_queue_reqs"),
    KV_USE("vllm:kv_cache_usage_perc", "sglang:token_usage"),
    TOKEN_TIME_SUM("vllm:request_time_per_output_token_seconds_sum"),
    TOKEN_TIME_COUNT("vllm:request_time_per_output_token_seconds_count"),
    TOKEN_TIME_BUCKET("vllm:request_time_per_output_token_seconds_bucket"),
    /** These two no engine has of itself so far; a patched or simulated one may tell them. */
    STEPS("eldr:decode_steps_total"),
    STEP_EXPERTS("eldr:decode_step_experts_total");

    private final String name;
    private final Optional<String> sglang;

    EngineSeries(String name) {
        this(name, Optional.empty());
    }

    EngineSeries(String name, String sglang) {
        this(name, Optional.of(sglang));
    }

    EngineSeries(String name, Optional<String> sglang) {
        this.name = name;
        this.sglang = sglang;
    }

    private List<String> names() {
        List<String> names = new ArrayList<>();
        names.add(name);
        sglang.ifPresent(names::add);
        return names;
    }

    /**
     * Tells byte by byte whether a name can still become one of these, so that the many other lines of a page are left
     * after a few bytes. The names that fit so far are the bits of a mask.
     */
    static final class Names {
        private static final int ASCII = 128;

        private final List<EngineSeries> series;
        private final int[] lengths;
        private final int[][] withByteAt;

        Names() {
            List<EngineSeries> ofName = new ArrayList<>();
            List<byte[]> names = new ArrayList<>();
            for (EngineSeries each : values()) {
                for (String name : each.names()) {
                    ofName.add(each);
                    names.add(name.getBytes(StandardCharsets.US_ASCII));
                }
            }
            series = List.copyOf(ofName);
            lengths = names.stream().mapToInt(name -> name.length).toArray();
            withByteAt = new int[Arrays.stream(lengths).max().orElseThrow()][ASCII];
            for (int bit = 0; bit < lengths.length; bit++) {
                for (int i = 0; i < lengths[bit]; i++) {
                    withByteAt[i][names.get(bit)[i]] |= 1 << bit;
                }
            }
        }

        /** Every name. */
        int all() {
            return (1 << lengths.length) - 1;
        }

        /** Those of the mask whose byte at a place is this one. */
        int with(int mask, int place, byte value) {
            return place < withByteAt.length && value >= 0 ? mask & withByteAt[place][value] : 0;
        }

        /** The series whose name is among the mask's and ends here. */
        Optional<EngineSeries> ofLength(int mask, int length) {
            for (int bit = 0; bit < lengths.length; bit++) {
                if ((mask & (1 << bit)) != 0 && lengths[bit] == length) {
                    return Optional.of(series.get(bit));
                }
            }
            return Optional.empty();
        }
    }
}
