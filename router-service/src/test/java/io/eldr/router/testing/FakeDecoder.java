package io.eldr.router.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A decode worker whose requests a test begins and ends: health and vLLM's metrics over HTTP. */
public final class FakeDecoder implements AutoCloseable {

    private static final int LARGE = 42 * 1024;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger probes = new AtomicInteger();
    private final AtomicInteger pages = new AtomicInteger();
    private volatile int health = 200;
    private volatile int metrics = 200;
    private volatile String otherSeries;

    public FakeDecoder() {
        this("");
    }

    /** @param otherSeries what its page of metrics has besides */
    public FakeDecoder(String otherSeries) {
        this.otherSeries = otherSeries;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/health", exchange -> {
            probes.incrementAndGet();
            answer(exchange, health, "");
        });
        server.createContext("/metrics", exchange -> {
            answer(exchange, metrics, page(running.get(), 0) + this.otherSeries);
            pages.incrementAndGet();
        });
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    public void begin() {
        running.incrementAndGet();
    }

    public void end() {
        running.decrementAndGet();
    }

    public int running() {
        return running.get();
    }

    /** How often it was asked for its health. */
    public int probes() {
        return probes.get();
    }

    /** How often it gave its metrics. */
    public int pages() {
        return pages.get();
    }

    /** What it answers to probes. */
    public void health(int status) {
        health = status;
    }

    /** What it answers where it is asked for metrics. */
    public void metrics(int status) {
        metrics = status;
    }

    /** What its page of metrics has besides. */
    public void otherSeries(String series) {
        otherSeries = series;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }

    /** What of vLLM's metrics says how loaded it is. */
    public static String page(int running, int waiting) {
        return """
                # HELP vllm:num_requests_running Number of requests in model execution batches.
                # TYPE vllm:num_requests_running gauge
                vllm:num_requests_running{engine="0",model_name="m"} %d.0
                # HELP vllm:num_requests_waiting Number of requests waiting to be processed.
                # TYPE vllm:num_requests_waiting gauge
                vllm:num_requests_waiting{engine="0",model_name="m"} %d.0
                vllm:kv_cache_usage_perc{engine="0",model_name="m"} 0.25
                """.formatted(running, waiting);
    }

    /** More than 40 KiB of other series. */
    public static String manyOtherSeries() {
        StringBuilder page = new StringBuilder();
        for (int i = 0; page.length() < LARGE; i++) {
            page.append("vllm:request_prompt_tokens_bucket{engine=\"0\",le=\"")
                    .append(i)
                    .append("\",model_name=\"m\"} 17.0\n");
        }
        return page.toString();
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }
}
