package io.eldr.router.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.load.Lease;
import io.eldr.core.load.LoadLedger;
import io.eldr.core.load.Outcome;
import io.eldr.core.load.Reservation;
import io.eldr.core.load.ReservationListener;
import io.eldr.core.load.Reservations;
import io.eldr.core.routing.Decision;
import io.eldr.core.routing.DecisionRequest;
import io.eldr.core.routing.FoldedCentroids;
import io.eldr.core.routing.ReservingRouter;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.router.discovery.WorkerDiscovery;
import io.eldr.router.intent.Activation;
import io.eldr.router.intent.Intent;
import io.eldr.router.intent.IntentSource;
import io.eldr.router.intent.PoolIntent;
import io.eldr.router.intent.StoredArtifact;
import io.eldr.router.intent.WorkerIntent;
import io.eldr.router.testing.Fixtures;
import io.eldr.router.testing.TestWorkers;
import io.eldr.router.worker.WorkerStandings;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A thousand artifacts one after the other, while requests are decided as fast as they can be. */
class SwapTest {

    /** Carriers and compilers that the JVM may have started meanwhile; swaps are hundreds of times as many. */
    private static final int THREADS_OF_THE_JVM = 8;

    private static final int SWAPS = 1_000;
    private static final int VERSIONS = 8;
    private static final int DECODERS = 6;
    private static final int REQUESTS = 16;

    private final LoadLedger ledger = new LoadLedger();
    private final Reservations<Decision.Chosen> reservations =
            new Reservations<>("swap", 1, ledger, InstantSource.system(), ReservationListener.none(), 1_000);
    private final ReservingRouter<Decision.Chosen> router = new ReservingRouter<>(reservations);
    private final WorkerStandings standings = TestWorkers.standings(ledger);
    private final Map<Integer, StoredArtifact> stored = new HashMap<>();
    private final Map<Integer, double[][]> expected = new HashMap<>();
    private final Pools pools = new Pools(
            new Stored(),
            new PoolEnvironment(ledger, WorkerDiscovery.NONE, Optional.empty(), InstantSource.system()),
            standings,
            Optional.empty(),
            new Nobody(),
            InstantSource.system());

    @AfterEach
    void close() {
        standings.close();
    }

    @Test
    void noDecisionFailsAndEachComesFromExactlyOneVersion() throws Exception {
        for (int version = 1; version <= VERSIONS; version++) {
            // Versions differ in centroids, tau and slots' order: what is mixed would show.
            RoutingArtifact artifact = Fixtures.artifact(Fixtures.MODEL, version, DECODERS, version / 100.0);
            byte[] content = ArtifactCodec.encode(artifact);
            stored.put(version, new StoredArtifact(content, ArtifactCodec.sha256Hex(content)));
            expected.put(version, similarities(artifact));
        }
        pools.apply(intent(1));
        WeakReference<FoldedCentroids> first = new WeakReference<>(
                pools.find("swap").orElseThrow().state().active().orElseThrow().centroids());
        int threadsBefore = ManagementFactory.getThreadMXBean().getThreadCount();
        AtomicBoolean done = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(3);
        List<Long> decided = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            List<Future<Long>> deciding = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                deciding.add(threads.submit(deciding(i, begun, done)));
            }
            try {
                await().until(() -> begun.getCount() == 0 || deciding.stream().anyMatch(Future::isDone));
                for (int swap = 2; swap <= SWAPS + 1; swap++) {
                    pools.apply(intent(swap));
                }
            } finally {
                done.set(true);
            }
            for (Future<Long> each : deciding) {
                decided.add(each.get());
            }
        }
        assertThat(decided).allMatch(count -> count > 0);
        assertThat(pools.statuses().getFirst().running().orElseThrow().generation())
                .isEqualTo(SWAPS + 1);
        assertThat(pools.statuses().getFirst().refused()).isEmpty();

        assertThat(reservations.open()).isZero();
        assertThat(ledger.inFlight().values()).hasSize(DECODERS).containsOnly(0);
        await().until(() -> {
            System.gc();
            return first.get() == null;
        });
        await().untilAsserted(
                        () -> assertThat(ManagementFactory.getThreadMXBean().getThreadCount())
                                .as("no thread is left of a swap")
                                .isLessThanOrEqualTo(threadsBefore + THREADS_OF_THE_JVM));
    }

    private Callable<Long> deciding(int seed, CountDownLatch begun, AtomicBoolean done) {
        return () -> {
            RandomGenerator random = new SplittableRandom(seed);
            Pool pool = pools.find("swap").orElseThrow();
            long count = 0;
            long generation = 0;
            while (!done.get()) {
                int request = random.nextInt(REQUESTS);
                ReservingRouter.Routed<Decision.Chosen> routed = router.route(
                        "swap",
                        "r-" + seed + "-" + count,
                        DecisionRequest.of(counts(request)),
                        Lease.DEFAULT,
                        () -> pool.state().forDecisions(),
                        random,
                        chosen -> chosen);
                assertThat(routed).isInstanceOf(ReservingRouter.Opened.class);
                Reservation<Decision.Chosen> reservation =
                        ((ReservingRouter.Opened<Decision.Chosen>) routed).reservation();
                Decision.Chosen chosen = reservation.decision();
                assertThat(chosen.version().generation()).isGreaterThanOrEqualTo(generation);
                generation = chosen.version().generation();
                int version = (int) chosen.version().artifactVersion().orElseThrow();
                assertThat(version).isEqualTo(version(generation));
                assertThat(chosen.band().orElseThrow().tau()).isEqualTo(version / 100.0);
                assertThat(chosen.evaluation().similarities())
                        .isEqualTo(Objects.requireNonNull(expected.get(version))[request]);
                reservations.close(reservation.id(), Outcome.COMPLETED);
                if (++count == 1) {
                    begun.countDown();
                }
            }
            return count;
        };
    }

    private static int version(long generation) {
        return (int) (generation % VERSIONS) + 1;
    }

    private static ExpertCounts counts(int request) {
        return Fixtures.counts(request, 10 + request);
    }

    private static double[][] similarities(RoutingArtifact artifact) {
        FoldedCentroids centroids = FoldedCentroids.of(artifact);
        double[][] all = new double[REQUESTS][DECODERS];
        for (int request = 0; request < REQUESTS; request++) {
            centroids.similarities(counts(request), all[request]);
        }
        return all;
    }

    private Intent intent(long generation) {
        int version = version(generation);
        return new Intent(List.of(new PoolIntent(
                1,
                "swap",
                Fixtures.MODEL,
                "eldr",
                OptionalDouble.empty(),
                OptionalInt.empty(),
                IntStream.range(0, DECODERS)
                        .mapToObj(i -> new WorkerIntent(
                                "decoder-" + i,
                                "u",
                                WorkerIntent.Role.DECODE,
                                "http://127.0.0.1:1",
                                1,
                                OptionalInt.empty(),
                                WorkerIntent.Probe.NONE,
                                false,
                                Optional.empty()))
                        .toList(),
                Optional.of(new Activation(
                        generation,
                        version,
                        Objects.requireNonNull(stored.get(version)).sha256())))));
    }

    private final class Stored implements IntentSource {
        @Override
        public Intent read() {
            return Intent.NONE;
        }

        @Override
        public Optional<StoredArtifact> artifact(long poolId, int version) {
            return Optional.ofNullable(stored.get(version));
        }
    }

    private static final class Nobody implements PoolObserver {
        @Override
        public void added(Pool pool) {}

        @Override
        public void changed(Pool pool) {}

        @Override
        public void removed(String pool) {}

        @Override
        public void refused(String pool) {}
    }
}
