package io.eldr.engine.metrics;

import io.eldr.engine.request.FinishReason;
import io.eldr.engine.request.Prompt;
import java.time.Instant;

/**
 * The page that vLLM serves at {@code /metrics}: its own series by their names, and those of Python and of its HTTP server
 * around them. More than 40 KiB, as a real one.
 */
public final class MetricsPage {
    private static final double[] HTTP_SECONDS = {
        0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 7.5, 10.0, 30.0,
        60.0
    };
    private static final String[] HANDLERS = {
        "/v1/completions", "/v1/chat/completions", "/v1/models", "/health", "/metrics", "/version", "/ping"
    };

    private final String model;
    private final double createdAt;

    public MetricsPage(String model, Instant createdAt) {
        this.model = model;
        this.createdAt = createdAt.toEpochMilli() / 1e3;
    }

    public String of(WorkerMetrics metrics, WorkerGauges now) {
        PageWriter page = new PageWriter(model, createdAt);
        writeProcess(page);
        writeState(page, metrics, now);
        writeCounters(page, metrics);
        writeHistograms(page, metrics);
        writeHttp(page, metrics);
        return page.toString();
    }

    private static void writeState(PageWriter page, WorkerMetrics metrics, WorkerGauges now) {
        page.gauge(
                "vllm:num_requests_running",
                "Number of requests in model execution batches.",
                now.ranks().stream().mapToInt(WorkerGauges.Rank::running).toArray());
        page.gauge(
                "vllm:num_requests_waiting",
                "Number of requests waiting to be processed.",
                now.ranks().stream().mapToInt(WorkerGauges.Rank::waiting).toArray());
        page.head("vllm:engine_sleep_state", "Engine sleep state; awake = 0 means engine is sleeping.", "gauge");
        page.labelled("vllm:engine_sleep_state", "sleep_state", "awake", 1);
        page.labelled("vllm:engine_sleep_state", "sleep_state", "weights_offloaded", 0);
        page.labelled("vllm:engine_sleep_state", "sleep_state", "discard_all", 0);
        page.gauge("vllm:kv_cache_usage_perc", "KV-cache usage. 1 means 100 percent usage.", now.kvUse());
        page.head("vllm:cache_config_info", "Information of the LLMEngine CacheConfig", "gauge");
        page.series(
                "vllm:cache_config_info",
                "block_size=\"" + Prompt.BLOCK_TOKENS
                        + "\",cache_dtype=\"auto\",enable_prefix_caching=\"True\",engine=\"0\",num_gpu_blocks=\""
                        + now.kvCapacityTokens() / Prompt.BLOCK_TOKENS + "\"",
                1);
        page.head("sim:active_experts_mean", "Distinct experts of a decode step, summed over layers.", "gauge");
        page.value("sim:active_experts_mean", metrics.meanActiveExperts());
        page.counter("eldr:decode_steps_total", "Decode steps.", metrics.steps());
        page.counter(
                "eldr:decode_step_experts_total",
                "Distinct experts of every decode step, summed over layers and steps.",
                metrics.activeExperts());
        page.gauge("sim:prompts_kept", "Prompts whose KV is kept for a decoder.", now.pinned());
    }

    private static void writeCounters(PageWriter page, WorkerMetrics metrics) {
        page.counter(
                "vllm:prefix_cache_queries_total",
                "Prefix cache queries, in terms of number of queried tokens.",
                metrics.prefixQueries.sum());
        page.counter(
                "vllm:prefix_cache_hits_total",
                "Prefix cache hits, in terms of number of cached tokens.",
                metrics.prefixHits.sum());
        page.counter("vllm:external_prefix_cache_queries_total", "External prefix cache queries from KV connector.", 0);
        page.counter("vllm:external_prefix_cache_hits_total", "External prefix cache hits from KV connector.", 0);
        page.counter("vllm:mm_cache_queries_total", "Multi-modal cache queries, in number of queried items.", 0);
        page.counter("vllm:mm_cache_hits_total", "Multi-modal cache hits, in number of cached items.", 0);
        page.counter(
                "vllm:num_preemptions_total",
                "Cumulative number of preemption from the engine.",
                metrics.preemptions.sum());
        page.counter(
                "vllm:prompt_tokens_total", "Number of prefill tokens processed.", metrics.promptTokensTotal.sum());
        page.counter(
                "vllm:generation_tokens_total",
                "Number of generation tokens processed.",
                metrics.generationTokensTotal.sum());
        page.head("vllm:request_success_total", "Count of successfully processed requests.", "counter");
        for (FinishReason reason : FinishReason.values()) {
            page.labelled("vllm:request_success_total", "finished_reason", reason.text(), metrics.ended(reason));
        }
        page.created("vllm:request_success");
        page.counter(
                "vllm:nixl_num_failed_transfers_total",
                "Number of failed NIXL KV Cache transfers.",
                metrics.failedTransfers.sum());
        page.counter("vllm:nixl_num_failed_notifications_total", "Number of failed NIXL KV Cache notifications.", 0);
        page.counter(
                "vllm:nixl_num_kv_expired_reqs_total",
                "Number of requests that had their KV expire.",
                metrics.expiredTransfers.sum());
    }

    private static void writeHistograms(PageWriter page, WorkerMetrics metrics) {
        metrics.promptTokens.write(page, "vllm:request_prompt_tokens", "Number of prefill tokens processed.");
        metrics.generationTokens.write(
                page, "vllm:request_generation_tokens", "Number of generation tokens processed.");
        metrics.stepTokens.write(page, "vllm:iteration_tokens_total", "Histogram of number of tokens per engine_step.");
        metrics.generationTokens.write(
                page,
                "vllm:request_max_num_generation_tokens",
                "Histogram of maximum number of requested generation tokens.");
        metrics.choices.write(page, "vllm:request_params_n", "Histogram of the n request parameter.");
        metrics.maxTokens.write(
                page, "vllm:request_params_max_tokens", "Histogram of the max_tokens request parameter.");
        metrics.timeToFirstToken.write(
                page, "vllm:time_to_first_token_seconds", "Histogram of time to first token in seconds.");
        metrics.interTokenLatency.write(
                page, "vllm:inter_token_latency_seconds", "Histogram of inter-token latency in seconds.");
        metrics.timePerOutputToken.write(
                page,
                "vllm:request_time_per_output_token_seconds",
                "Histogram of time_per_output_token_seconds per request.");
        metrics.endToEnd.write(
                page, "vllm:e2e_request_latency_seconds", "Histogram of e2e request latency in seconds.");
        metrics.queueTime.write(
                page, "vllm:request_queue_time_seconds", "Histogram of time spent in WAITING phase for request.");
        metrics.inferenceTime.write(
                page, "vllm:request_inference_time_seconds", "Histogram of time spent in RUNNING phase for request.");
        metrics.prefillTime.write(
                page, "vllm:request_prefill_time_seconds", "Histogram of time spent in PREFILL phase for request.");
        metrics.decodeTime.write(
                page, "vllm:request_decode_time_seconds", "Histogram of time spent in DECODE phase for request.");
        metrics.promptTokens.write(
                page,
                "vllm:request_prefill_kv_computed_tokens",
                "Histogram of new KV tokens computed during prefill (excluding cached tokens).");
        metrics.transferTime.write(
                page, "vllm:nixl_xfer_time_seconds", "Histogram of transfer duration for NIXL KV Cache transfers.");
        metrics.transferTime.write(
                page, "vllm:nixl_post_time_seconds", "Histogram of transfer post time for NIXL KV Cache transfers.");
    }

    private void writeProcess(PageWriter page) {
        page.head("python_gc_objects_collected_total", "Objects collected during gc", "counter");
        page.head("python_gc_collections_total", "Number of times this generation was collected", "counter");
        for (int generation = 0; generation < 3; generation++) {
            String label = "generation=\"" + generation + "\"";
            page.series("python_gc_objects_collected_total", label, 11_000);
            page.series("python_gc_collections_total", label, 300);
        }
        page.head("python_info", "Python platform information", "gauge");
        page.series(
                "python_info",
                "implementation=\"CPython\",major=\"3\",minor=\"12\",patchlevel=\"11\",version=\"3.12.11\"",
                1);
        page.head("process_start_time_seconds", "Start time of the process since unix epoch in seconds.", "gauge");
        page.series("process_start_time_seconds", "", createdAt);
        page.head("process_open_fds", "Number of open file descriptors.", "gauge");
        page.series("process_open_fds", "", 92);
    }

    private static void writeHttp(PageWriter page, WorkerMetrics metrics) {
        long answered = metrics.ended(FinishReason.STOP) + metrics.ended(FinishReason.LENGTH);
        page.head("http_requests_total", "Total number of requests by method, status and handler.", "counter");
        for (String handler : HANDLERS) {
            page.series(
                    "http_requests_total",
                    "handler=\"" + handler + "\",method=\"" + method(handler) + "\",status=\"2xx\"",
                    generates(handler) ? answered : 0);
        }
        page.head("http_request_duration_seconds", "Latency with only few buckets by handler.", "histogram");
        for (String handler : HANDLERS) {
            String labels = "handler=\"" + handler + "\",method=\"" + method(handler) + "\"";
            long count = generates(handler) ? answered : 0;
            for (double bound : HTTP_SECONDS) {
                page.series("http_request_duration_seconds_bucket", labels + ",le=\"" + bound + "\"", count);
            }
            page.series("http_request_duration_seconds_bucket", labels + ",le=\"+Inf\"", count);
            page.series("http_request_duration_seconds_count", labels, count);
            page.series("http_request_duration_seconds_sum", labels, count);
        }
    }

    private static String method(String handler) {
        return generates(handler) ? "POST" : "GET";
    }

    private static boolean generates(String handler) {
        return handler.endsWith("completions");
    }
}
