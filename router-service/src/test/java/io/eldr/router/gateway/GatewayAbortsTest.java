package io.eldr.router.gateway;

import static io.eldr.router.testing.GatewayClient.COMPLETIONS;
import static io.eldr.router.testing.GatewayClient.completion;
import static io.eldr.router.testing.SharedRouter.REGISTRY;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.core.routing.PolicyName;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** Clients that leave, at each stage of their request's way, seen from the engine that has it. */
class GatewayAbortsTest {
    private static final Logger log = LoggerFactory.getLogger(GatewayAbortsTest.class);
    /** With {@code -Deldr.full-size=true}: as many and as long as users ask for, which takes two minutes more. */
    private static final boolean FULL_SIZE = Boolean.getBoolean("eldr.full-size");

    private static final int DECODERS = 4;
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
        // It would go on for five seconds, and then not have been left.
        SimulatedPool pool = serve(SimulatedPool.engines(1, 1).timeScale(SLOW * 5));
        Socket socket = client.open(COMPLETIONS, stream(pool, 6));
        await().until(() -> SimulatedPool.busy(pool.prefillers()) == 1);
        assertThat(ROUTER.bean(GatewayMetrics.class).active()).isOne();

        socket.close();

        await().atMost(AT_ONCE).until(() -> SimulatedPool.left(pool.prefillers()) == 1);
        await().untilAsserted(() -> assertThat(pool.ends()).isEqualTo(Map.of("aborted", 1)));
        assertThat(SimulatedPool.left(pool.decoders())).isZero();
    }

    @Test
    void aClientThatLeavesBeforeTheFirstByteFreesTheDecoderAtOnce() throws IOException {
        SimulatedPool pool = serve(SimulatedPool.engines(1, 1).timeScale(SLOW));
        Socket socket = client.open(COMPLETIONS, completion(pool.name(), PROMPT, 100));
        await().until(() -> SimulatedPool.busy(pool.decoders()) == 1);

        socket.close();

        await().atMost(AT_ONCE).until(() -> SimulatedPool.left(pool.decoders()) == 1);
        await().untilAsserted(() -> assertThat(pool.ends()).isEqualTo(Map.of("aborted", 1)));
    }

    @Test
    void aClientThatLeavesAfterTheFirstTokensFreesTheDecoderAtOnce() throws IOException {
        SimulatedPool pool = serve(SimulatedPool.engines(1, 1).timeScale(SLOW / 20));
        Socket socket = client.open(COMPLETIONS, stream(pool, 2_000));
        RawAnswer.to(socket).readUntil("data: ");
        assertThat(pool.inFlight()).isOne();

        socket.close();

        await().atMost(AT_ONCE).until(() -> SimulatedPool.left(pool.decoders()) == 1);
        await().untilAsserted(() -> assertThat(pool.ends()).isEqualTo(Map.of("aborted", 1)));
    }

    @Test
    void aClientThatLeavesBetweenPrefillAndDecodeLeavesAStateBehindThatIsCounted() throws IOException {
        SimulatedPool pool = serve(SimulatedPool.engines(1, 1));
        try (BlackHole unreachable = new BlackHole()) {
            REGISTRY.setWorker(pool.name(), "decoder-0", "url", unreachable.url());
            await().untilAsserted(() -> assertThat(
                            pool.pool().state().forDecisions().snapshot().decoders())
                    .singleElement()
                    .satisfies(decoder -> assertThat(decoder.url()).isEqualTo(unreachable.url())));
            Socket socket = client.open(COMPLETIONS, stream(pool, 6));
            // The prefill worker keeps the state a moment before the gateway knows of it.
            await().until(() -> ROUTER.get("/v1/pools/" + pool.name() + "/decoders")
                            .json()
                            .at("/decoders/0/inFlight")
                            .asInt()
                    == 1);
            socket.close();

            await().untilAsserted(() -> assertThat(pool.ends()).isEqualTo(Map.of("aborted", 1)));
            await().until(() -> pool.count("eldr.gateway.kv.abandoned") == 1);
        }
    }

    @Test
    void withHalfOfAThousandRequestsAbortedEachEndsOnceAndAWorkerThatIsRestartedGetsNoMoreThanItsShare() {
        SimulatedPool pool = serve(SimulatedPool.engines(2, DECODERS).timeScale(0.2));
        REGISTRY.set(pool.name(), "policy", "jsq");
        await().until(() -> pool.pool().state().policyName() == PolicyName.JSQ);
        SplittableRandom random = new SplittableRandom(6);
        List<CompletableFuture<HttpResponse<InputStream>>> answers = new ArrayList<>();
        int most = 0;
        for (int i = 0; i < 1_000; i++) {
            CompletableFuture<HttpResponse<InputStream>> answer = client.begin(numbered(pool, i));
            answers.add(answer);
            if (i % 2 == 0) {
                CompletableFuture.delayedExecutor(random.nextLong(300), TimeUnit.MILLISECONDS)
                        .execute(() -> answer.cancel(true));
            }
            most = Math.max(most, ROUTER.bean(GatewayMetrics.class).active());
        }
        for (int i = 1; i < answers.size(); i += 2) {
            assertThat(whole(answers.get(i).join())).endsWith("data: [DONE]\n\n");
        }
        long over = System.nanoTime();
        pool.awaitIdle();
        log.info("{} ms after the last answer nothing was in flight", (System.nanoTime() - over) / 1_000_000);
        assertThat(most).isGreaterThan(20);
        pool.orderAll(pool.prefillers(), "{\"fault\":\"expire\"}");
        assertThat(pool.ends().get("completed")).isGreaterThanOrEqualTo(500);
        assertThat(pool.ends().keySet()).isSubsetOf("completed", "aborted");

        pool.order(pool.decoder(0), "{\"fault\":\"crash\",\"forMillis\":200}");
        await().until(() -> pool.decoder(0).incarnation() == 2);
        Map<String, Integer> shares = new HashMap<>();
        int requests = 0;
        for (int wave = 0; wave < 20; wave++) {
            List<CompletableFuture<HttpResponse<InputStream>>> together = new ArrayList<>();
            for (int i = 0; i < 4 * DECODERS; i++) {
                together.add(client.begin(numbered(pool, i)));
                requests++;
            }
            for (CompletableFuture<HttpResponse<InputStream>> answer : together) {
                whole(answer.join());
                shares.merge(
                        answer.join().headers().firstValue("x-eldr-decoder").orElse(""), 1, Integer::sum);
            }
        }
        assertThat(shares.get("decoder-0")).as("%s", shares).isBetween(requests / 16, (int)
                (1.5 / DECODERS * requests));
    }

    /**
     * The cluster's own time is what bounds the throughput, so that it can be compared on any machine; one that is busy
     * with other things gets longer than the ten seconds that users ask for.
     */
    @Test
    void afterATimeIn89PercentOfTheClientsLeaveThroughputComesBack() {
        SimulatedPool pool = serve(SimulatedPool.engines(2, 2).timeScale(0.3).maxSequences(4));
        try (Traffic traffic = new Traffic(pool, 16)) {
            double before = traffic.throughput(Duration.ofSeconds(2));
            traffic.leaving(0.89);
            LockSupport.parkNanos(Duration.ofSeconds(FULL_SIZE ? 30 : 3).toNanos());
            int left = traffic.left.get();
            traffic.leaving(0);

            await().atMost(Duration.ofSeconds(FULL_SIZE ? 10 : 60))
                    .untilAsserted(() -> assertThat(traffic.throughput(Duration.ofSeconds(1)))
                            .isGreaterThanOrEqualTo(0.9 * before));
            assertThat(left).isGreaterThan(20);
        }
        await().until(() -> ROUTER.bean(GatewayMetrics.class).active() == 0);
        assertThat(pool.ends().keySet()).isSubsetOf("completed", "aborted");
        pool.awaitIdle();
    }

    /** What each of a thousand left behind would show from 12 KiB on; of ten thousand, from 1.2 KiB on. */
    @Test
    void abortsLeaveMemoryFlat() throws IOException {
        SimulatedPool pool = serve(SimulatedPool.engines(1, 1).timeScale(0.05));
        abort(pool, 300);
        long heap = heapInUse();
        long direct = directInUse();
        abort(pool, FULL_SIZE ? 10_000 : 1_000);

        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(heapInUse() - heap).isLessThan(12L << 20);
            assertThat(directInUse() - direct).isLessThanOrEqualTo(12L << 20);
        });
        log.info("heap {} KiB, direct memory {} KiB more", (heapInUse() - heap) >> 10, (directInUse() - direct) >> 10);
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

    private static ObjectNode numbered(SimulatedPool pool, int number) {
        return stream(pool, 20).put("prompt", number + " " + PROMPT);
    }

    private static ObjectNode stream(SimulatedPool pool, int maxTokens) {
        return completion(pool.name(), PROMPT, maxTokens).put("stream", true);
    }
}
