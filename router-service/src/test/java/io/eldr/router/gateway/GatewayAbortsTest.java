package io.eldr.router.gateway;

import static io.eldr.router.testing.GatewayClient.COMPLETIONS;
import static io.eldr.router.testing.GatewayClient.completion;
import static io.eldr.router.testing.SharedRouter.REGISTRY;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.router.testing.BlackHole;
import io.eldr.router.testing.GatewayClient;
import io.eldr.router.testing.RawAnswer;
import io.eldr.router.testing.SimulatedPool;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Clients that leave, at each stage of their request's way, seen from the engine that has it. */
class GatewayAbortsTest {
    private static final String PROMPT = "Nobody waits for this to end. ".repeat(10);
    /** Prefill takes about a second and a handoff 80 ms, so that a client can leave in the midst of either. */
    private static final double SLOW = 40;
    /** Long before the work would end by itself. On a machine of its own it takes milliseconds. */
    private static final Duration AT_ONCE = Duration.ofSeconds(10);

    private final List<SimulatedPool> pools = new ArrayList<>();
    private final GatewayClient client = GatewayClient.ofRouter();

    @AfterEach
    void nothingIsInFlightAnyMore() {
        client.close();
        for (SimulatedPool pool : pools) {
            pool.awaitIdle();
            pool.orderAll(pool.prefillers(), "{\"fault\":\"expire\"}");
            pool.awaitNothingKept();
            pool.close();
        }
        await().until(() -> ROUTER.bean(GatewayMetrics.class).active() == 0);
    }

    private SimulatedPool serve(SimulatedPool.Engines engines) {
        SimulatedPool pool = engines.serve();
        pools.add(pool);
        return pool;
    }

    @Test
    void aClientThatLeavesDuringPrefillFreesThePrefillWorkerAtOnce() throws IOException {
        // It would go on for forty seconds.
        SimulatedPool pool = serve(SimulatedPool.engines(1, 1).timeScale(SLOW * 40));
        Socket socket = client.open(COMPLETIONS, stream(pool, 6));
        await().until(() -> SimulatedPool.busy(pool.prefillers()) == 1);
        assertThat(ROUTER.bean(GatewayMetrics.class).active()).isOne();

        socket.close();

        await().atMost(AT_ONCE).until(() -> SimulatedPool.left(pool.prefillers()) == 1);
        await().until(() -> pool.ends().equals(Map.of("aborted", 1)));
        assertThat(SimulatedPool.left(pool.decoders())).isZero();
    }

    @Test
    void aClientThatLeavesBeforeTheFirstByteFreesTheDecoderAtOnce() throws IOException {
        SimulatedPool pool = serve(SimulatedPool.engines(1, 1).timeScale(SLOW));
        Socket socket = client.open(COMPLETIONS, completion(pool.name(), PROMPT, 100));
        await().until(() -> SimulatedPool.busy(pool.decoders()) == 1);

        socket.close();

        await().atMost(AT_ONCE).until(() -> SimulatedPool.left(pool.decoders()) == 1);
        await().until(() -> pool.ends().equals(Map.of("aborted", 1)));
    }

    @Test
    void aClientThatLeavesAfterTheFirstTokensFreesTheDecoderAtOnce() throws IOException {
        SimulatedPool pool = serve(SimulatedPool.engines(1, 1).timeScale(SLOW / 20));
        Socket socket = client.open(COMPLETIONS, stream(pool, 2_000));
        RawAnswer.to(socket).readUntil("data: ");
        assertThat(pool.inFlight()).isOne();

        socket.close();

        await().atMost(AT_ONCE).until(() -> SimulatedPool.left(pool.decoders()) == 1);
        await().until(() -> pool.ends().equals(Map.of("aborted", 1)));
    }

    @Test
    void aClientThatLeavesBetweenPrefillAndDecodeLeavesAStateBehindThatIsCounted() throws IOException {
        SimulatedPool pool = serve(SimulatedPool.engines(1, 1));
        try (BlackHole unreachable = new BlackHole()) {
            REGISTRY.setWorker(pool.name(), "decoder-0", "url", unreachable.url());
            await().until(() -> pool.pool().state().forDecisions().snapshot().decoders().stream()
                    .allMatch(decoder -> decoder.url().equals(unreachable.url())));
            Socket socket = client.open(COMPLETIONS, stream(pool, 6));
            await().until(() -> pool.prefiller(0).gauges().pinned() == 1);
            socket.close();

            await().until(() -> pool.ends().equals(Map.of("aborted", 1)));
            await().until(() -> pool.count("eldr.gateway.kv.abandoned") == 1);
        }
    }

    @Test
    void withHalfOfSixHundredRequestsAbortedEachEndsOnceAndEveryGaugeFallsBackToZero() {
        SimulatedPool pool = serve(SimulatedPool.engines(2, 4).timeScale(0.2));
        List<CompletableFuture<HttpResponse<InputStream>>> answers = new ArrayList<>();
        int most = 0;
        for (int i = 0; i < 600; i++) {
            answers.add(client.begin(stream(pool, 20).put("prompt", i + " " + PROMPT)));
            most = Math.max(most, ROUTER.bean(GatewayMetrics.class).active());
        }
        for (int i = 0; i < answers.size(); i++) {
            most = Math.max(most, ROUTER.bean(GatewayMetrics.class).active());
            if (i % 2 == 0) {
                answers.get(i).cancel(true);
            }
        }
        for (int i = 1; i < answers.size(); i += 2) {
            assertThat(whole(answers.get(i).join())).endsWith("data: [DONE]\n\n");
        }
        assertThat(most).isGreaterThan(20);
        pool.awaitIdle();
        pool.orderAll(pool.prefillers(), "{\"fault\":\"expire\"}");
        assertThat(pool.ends().get("completed")).isGreaterThanOrEqualTo(300);
        assertThat(pool.ends().keySet()).isSubsetOf("completed", "aborted");
    }

    /**
     * The cluster's own time is what bounds the throughput, so that it can be compared on any machine; one that is busy
     * with other things gets longer than the ten seconds that users ask for.
     */
    @Test
    void afterThreeSecondsIn89PercentOfTheClientsLeaveThroughputComesBack() {
        SimulatedPool pool = serve(SimulatedPool.engines(2, 2).timeScale(0.3).maxSequences(4));
        try (Traffic traffic = new Traffic(pool, 16)) {
            double before = traffic.throughput(Duration.ofSeconds(2));
            traffic.leaving(0.89);
            LockSupport.parkNanos(Duration.ofSeconds(3).toNanos());
            int left = traffic.left.get();
            traffic.leaving(0);

            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(traffic.throughput(Duration.ofSeconds(1)))
                            .isGreaterThanOrEqualTo(0.9 * before));
            assertThat(left).isGreaterThan(20);
        }
        await().until(() -> ROUTER.bean(GatewayMetrics.class).active() == 0);
        assertThat(pool.ends().keySet()).isSubsetOf("completed", "aborted");
        pool.awaitIdle();
    }

    /** A tenth of the 10,000 that users ask for: 12 KiB that each left behind would show. */
    @Test
    void aThousandAbortsLeaveMemoryFlat() throws IOException {
        SimulatedPool pool = serve(SimulatedPool.engines(1, 1).timeScale(0.05));
        abort(pool, 300);
        long heap = heapInUse();
        long direct = directInUse();
        abort(pool, 1_000);

        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(heapInUse() - heap).isLessThan(12L << 20);
            assertThat(directInUse() - direct).isLessThanOrEqualTo(12L << 20);
        });
    }

    /** At random moments: before, during and after prefill, and while tokens come. */
    private void abort(SimulatedPool pool, int requests) throws IOException {
        SplittableRandom random = new SplittableRandom(89);
        for (int i = 0; i < requests; i++) {
            try (Socket socket = client.open(COMPLETIONS, stream(pool, 200))) {
                LockSupport.parkNanos(random.nextLong(Duration.ofMillis(2).toNanos()));
                socket.setSoLinger(true, 0);
            }
        }
        pool.awaitIdle();
        await().until(() -> ROUTER.bean(GatewayMetrics.class).active() == 0);
    }

    private static long heapInUse() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static long directInUse() {
        return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT)
                .metric()
                .usedDirectMemory();
    }

    private static String whole(HttpResponse<InputStream> answer) {
        try (InputStream body = answer.body()) {
            return new String(body.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** So many clients that ask, one request after another, and sometimes leave. */
    private final class Traffic implements AutoCloseable {
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        private final List<Future<?>> clients = new ArrayList<>();
        private final AtomicBoolean over = new AtomicBoolean();
        private final AtomicInteger completed = new AtomicInteger();
        private final AtomicInteger left = new AtomicInteger();
        private final SimulatedPool pool;
        private volatile double leaving;

        Traffic(SimulatedPool pool, int count) {
            this.pool = pool;
            for (int i = 0; i < count; i++) {
                SplittableRandom random = new SplittableRandom(i);
                clients.add(threads.submit(() -> {
                    while (!over.get()) {
                        request(random);
                    }
                    return null;
                }));
            }
        }

        private void request(SplittableRandom random) throws IOException {
            boolean leaves = random.nextDouble() < leaving;
            try (Socket socket = client.open(COMPLETIONS, stream(pool, 20).put("prompt", random.nextInt() + PROMPT))) {
                if (leaves) {
                    LockSupport.parkNanos(random.nextLong(Duration.ofMillis(150).toNanos()));
                    left.incrementAndGet();
                    return;
                }
                RawAnswer answer = RawAnswer.to(socket);
                assertThat(answer.head()).startsWith("HTTP/1.1 200");
                answer.readUntil("[DONE]");
                completed.incrementAndGet();
            }
        }

        void leaving(double share) {
            leaving = share;
        }

        /** Completed requests in each second. */
        double throughput(Duration during) {
            int before = completed.get();
            long start = System.nanoTime();
            LockSupport.parkNanos(during.toNanos());
            return (completed.get() - before) * 1e9 / (System.nanoTime() - start);
        }

        @Override
        public void close() {
            over.set(true);
            threads.close();
            clients.stream()
                    .filter(asking -> asking.state() == Future.State.FAILED)
                    .map(Future::exceptionNow)
                    .forEach(failure -> {
                        throw new AssertionError("a client failed", failure);
                    });
        }
    }

    private static ObjectNode stream(SimulatedPool pool, int maxTokens) {
        return completion(pool.name(), PROMPT, maxTokens).put("stream", true);
    }
}
