package io.eldr.router.testing;

import static io.eldr.router.testing.SharedRouter.REGISTRY;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.core.cost.DecoderModel;
import io.eldr.core.cost.ModelConstants;
import io.eldr.core.load.LoadLedger;
import io.eldr.engine.cluster.Cluster;
import io.eldr.engine.cluster.ClusterSettings;
import io.eldr.engine.cluster.SimulatedWorker;
import io.eldr.engine.http.SignatureForm;
import io.eldr.engine.metrics.WorkerGauges;
import io.eldr.engine.recording.MadeUpRouting;
import io.eldr.engine.recording.Recordings;
import io.eldr.engine.request.FinishReason;
import io.eldr.engine.request.RequestLimits;
import io.eldr.engine.worker.EngineSettings;
import io.eldr.router.pool.Pool;
import io.eldr.router.pool.Pools;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A pool of the shared router and a cluster of simulated engines that serve it, each test's own. */
public final class SimulatedPool implements AutoCloseable {
    /** What the engines call their model. */
    public static final String SERVED = "tiny-served";

    private static final Recordings RECORDINGS = MadeUpRouting.of(Fixtures.GEOMETRY, 7);
    private static final AtomicInteger POOLS = new AtomicInteger();

    private final String name;
    private final Cluster cluster;

    private SimulatedPool(String name, Cluster cluster) {
        this.name = name;
        this.cluster = cluster;
    }

    /** What engines are like; without time, unless told otherwise. */
    public static final class Engines {
        private final int prefillers;
        private final int decoders;
        private String dialect = "vllm";
        private double timeScale;
        private int ranks = 1;
        private int maxSequences = 1_024;
        private Duration keepAlive = Duration.ofSeconds(5);
        private SignatureForm signature = SignatureForm.ELDR_SIG;

        private Engines(int prefillers, int decoders) {
            this.prefillers = prefillers;
            this.decoders = decoders;
        }

        public Engines dialect(String wanted) {
            dialect = wanted;
            return this;
        }

        /** Real seconds for each second of the model. */
        public Engines timeScale(double wanted) {
            timeScale = wanted;
            return this;
        }

        /** Data-parallel ranks of each worker. */
        public Engines ranks(int wanted) {
            ranks = wanted;
            return this;
        }

        public Engines maxSequences(int wanted) {
            maxSequences = wanted;
            return this;
        }

        public Engines keepAlive(Duration wanted) {
            keepAlive = wanted;
            return this;
        }

        public Engines signature(SignatureForm wanted) {
            signature = wanted;
            return this;
        }

        /** With an artifact active; slots are {@code prefill-0..} and {@code decoder-0..}. */
        public SimulatedPool serve() {
            String name = "simulated-" + POOLS.incrementAndGet();
            Cluster cluster = Cluster.start(
                    new ClusterSettings(
                            prefillers,
                            decoders,
                            "127.0.0.1",
                            Collections.nCopies(prefillers + decoders, 0),
                            timeScale,
                            keepAlive,
                            signature,
                            new EngineSettings(
                                    new DecoderModel(ModelConstants.scaledToQwen(
                                            Fixtures.GEOMETRY.layers(), Fixtures.GEOMETRY.experts())),
                                    RECORDINGS,
                                    new RequestLimits(List.of(SERVED, adapter(name)), 4_096),
                                    ranks,
                                    maxSequences,
                                    65_536,
                                    Duration.ofSeconds(30))),
                    InstantSource.system());
            SimulatedPool pool = new SimulatedPool(name, cluster);
            pool.register(prefillers, decoders, dialect);
            return pool;
        }
    }

    public static Engines engines(int prefillers, int decoders) {
        return new Engines(prefillers, decoders);
    }

    private void register(int prefillers, int decoders, String dialect) {
        REGISTRY.pool(name);
        REGISTRY.set(name, "engine_model", SERVED);
        REGISTRY.set(name, "adapters", new String[] {adapter(name)});
        REGISTRY.set(name, "dialect", dialect);
        for (int i = 0; i < prefillers; i++) {
            REGISTRY.prefiller(name, "prefill-" + i, cluster.prefiller(i).url().toString(), "none");
        }
        for (int i = 0; i < decoders; i++) {
            REGISTRY.worker(name, "decoder-" + i, cluster.decoder(i).url().toString(), "none");
        }
        REGISTRY.publish(name, 1, Fixtures.artifact(1, Math.max(1, decoders)));
        REGISTRY.activate(name, 1);
        SharedRouter.awaitGeneration(name, 1);
    }

    /** Its name, by which clients may ask for its model. */
    public String name() {
        return name;
    }

    public String adapter() {
        return adapter(name);
    }

    private static String adapter(String pool) {
        return pool + "-lora";
    }

    public SimulatedWorker prefiller(int index) {
        return cluster.prefiller(index);
    }

    public SimulatedWorker decoder(int index) {
        return cluster.decoder(index);
    }

    public Cluster cluster() {
        return cluster;
    }

    /** The pool as the router has it. */
    public Pool pool() {
        return ROUTER.bean(Pools.class).find(name).orElseThrow();
    }

    /** Orders a fault, as the page on simulated engines lists them; engines let kept connections go. */
    public void order(SimulatedWorker worker, String fault) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(worker.url() + "/sim/faults"))
                .POST(HttpRequest.BodyPublishers.ofString(fault))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public void orderAll(List<SimulatedWorker> workers, String fault) {
        workers.forEach(worker -> order(worker, fault));
    }

    public List<SimulatedWorker> prefillers() {
        return cluster.workers().stream()
                .filter(worker -> worker.name().startsWith("prefiller"))
                .toList();
    }

    public List<SimulatedWorker> decoders() {
        return cluster.workers().stream()
                .filter(worker -> worker.name().startsWith("decoder"))
                .toList();
    }

    /** How many requests its clients left while these workers had them. */
    public static long left(List<SimulatedWorker> workers) {
        return workers.stream()
                .mapToLong(worker -> worker.metrics().ended(FinishReason.ABORT))
                .sum();
    }

    /** How many requests run or wait at these workers. */
    public static int busy(List<SimulatedWorker> workers) {
        return workers.stream()
                .map(SimulatedWorker::gauges)
                .mapToInt(gauges -> gauges.running() + gauges.waiting())
                .sum();
    }

    /** How often requests of the pool ended in each way. A client may have its answer a moment before it is counted. */
    public Map<String, Integer> ends() {
        Gauge active =
                ROUTER.bean(MeterRegistry.class).get("eldr.gateway.active").gauge();
        await().atMost(Duration.ofSeconds(30)).until(() -> active.value() == 0);
        return counts("eldr.gateway.requests", "end");
    }

    public int count(String meter) {
        return counts(meter, "pool").values().stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    public Map<String, Integer> counts(String meter, String tag) {
        Map<String, Integer> counts = new TreeMap<>();
        for (Counter counter :
                ROUTER.bean(MeterRegistry.class).find(meter).tag("pool", name).counters()) {
            counts.merge(String.valueOf(counter.getId().getTag(tag)), (int) counter.count(), Integer::sum);
        }
        return counts;
    }

    /** How many requests this router has in flight at the pool's workers, of both roles. */
    public int inFlight() {
        LoadLedger ledger = ROUTER.bean(LoadLedger.class);
        return pool().state().workers().stream()
                .mapToInt(known -> ledger.inFlight(new io.eldr.core.load.Incarnation(
                        known.worker().slot(), known.worker().uid())))
                .sum();
    }

    /** Waits until nothing of the pool is in flight, at the router and at the engines alike. */
    public void awaitIdle() {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(inFlight()).as("in flight").isZero();
            assertThat(busy(cluster.workers()))
                    .as("running or waiting at engines")
                    .isZero();
        });
    }

    /** Waits until no prefill worker keeps anything for a decoder. */
    public void awaitNothingKept() {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> cluster.workers().stream()
                                .map(SimulatedWorker::gauges)
                                .mapToInt(WorkerGauges::pinned)
                                .sum()
                        == 0);
    }

    @Override
    public void close() {
        // The router need not look at engines any more that are gone.
        REGISTRY.set(name, "deleted_at", Timestamp.from(Instant.now()));
        cluster.close();
    }
}
