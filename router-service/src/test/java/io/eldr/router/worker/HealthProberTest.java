package io.eldr.router.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.eldr.router.RouterProperties;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Probes of one worker. */
class HealthProberTest {

    private final AtomicInteger status = new AtomicInteger(200);
    private final CountDownLatch answers = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HealthProber prober =
            new HealthProber(new RouterProperties.Probe(Duration.ofMillis(100), Duration.ofSeconds(60), 1, 1));
    private final HttpServer worker;
    private final HealthProber.Target target;

    HealthProberTest() throws IOException {
        worker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        target = new HealthProber.Target(
                "p", "w", "u", "http://127.0.0.1:" + worker.getAddress().getPort());
    }

    @BeforeEach
    void start() {
        worker.setExecutor(threads);
        worker.createContext("/health", exchange -> {
            try {
                answers.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.sendResponseHeaders(status.get(), -1);
            exchange.close();
        });
        worker.start();
    }

    @AfterEach
    void stop() {
        answers.countDown();
        prober.close();
        worker.stop(0);
        threads.close();
    }

    @Test
    void aWorkerCountsAsAskedOnceItAnswered() {
        assertThat(prober.askedAll()).isTrue();
        prober.watch(List.of(target));
        assertThat(prober.askedAll()).isFalse();
        answers.countDown();
        await().until(prober::askedAll);
        assertThat(prober.healthy(target)).isTrue();
    }

    @Test
    void aListenerThatFailsDoesNotEndTheProbe() {
        AtomicInteger told = new AtomicInteger();
        prober.onChange(() -> {
            told.incrementAndGet();
            throw new IllegalStateException("the listener failed");
        });
        answers.countDown();
        prober.watch(List.of(target));
        await().until(() -> told.get() == 1);
        status.set(500);
        await().until(() -> told.get() == 2);
        assertThat(prober.healthy(target)).isFalse();
    }
}
