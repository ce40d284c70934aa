package io.eldr.benchmarks;

import com.sun.management.ThreadMXBean;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.load.Incarnation;
import io.eldr.core.load.Lease;
import io.eldr.core.load.LoadLedger;
import io.eldr.core.load.Outcome;
import io.eldr.core.load.Reservation;
import io.eldr.core.load.ReservationListener;
import io.eldr.core.load.Reservations;
import io.eldr.core.routing.ActiveArtifact;
import io.eldr.core.routing.BandRule;
import io.eldr.core.routing.Decision;
import io.eldr.core.routing.DecisionRequest;
import io.eldr.core.routing.Decoder;
import io.eldr.core.routing.PolicyName;
import io.eldr.core.routing.PoolSnapshot;
import io.eldr.core.routing.PoolState;
import io.eldr.core.routing.ReservingRouter;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.RawForm;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/**
 * Decisions of policy {@code eldr} on one thread, over all 48 layers of 128 experts: 512 requests that use every expert, in
 * turn, each read from its raw form, decided and reserved; a few are in flight on each decoder all the time. Closing them
 * is not timed. After warm-up.
 */
final class DecisionBenchmark {
    private static final Geometry GEOMETRY = FitBenchmark.GEOMETRY;
    private static final int REQUESTS = 512;
    private static final int IN_FLIGHT_PER_DECODER = 4;
    private static final int REMEMBERED = 10_000;
    private static final int WARM_UP = 20_000;
    private static final int TIMED = 20_000;
    private static final long SEED = 1;
    private static final String POOL = "made-up";

    private final List<byte[]> requests;
    private final int open;
    private final AtomicReference<PoolState> state;
    private final Reservations<Decision.Chosen> reservations;
    private final ReservingRouter<Decision.Chosen> router;
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final ArrayDeque<Reservation<Decision.Chosen>> inFlight = new ArrayDeque<>();
    private int sent;

    private DecisionBenchmark(MadeUpRequests source, int decoders) {
        requests = IntStream.range(0, REQUESTS)
                .mapToObj(i -> RawForm.write(source.densePrompt(i)))
                .toList();
        open = IN_FLIGHT_PER_DECODER * decoders;
        PoolSnapshot snapshot = snapshot(source, decoders);
        LoadLedger ledger = new LoadLedger();
        state = new AtomicReference<>(
                new PoolState(snapshot, ledger.view(snapshot.incarnations()), PolicyName.ELDR.create()));
        reservations = new Reservations<>(
                "router", SEED, ledger, InstantSource.system(), ReservationListener.none(), REMEMBERED);
        router = new ReservingRouter<>(reservations);
    }

    static DecisionFigures measure() {
        MadeUpRequests source = new MadeUpRequests(GEOMETRY, FitBenchmark.TOPICS, SEED);
        DecisionBenchmark few = new DecisionBenchmark(source, 16);
        long[] nanos = few.nanos();
        Arithmetic arithmetic = Arithmetic.lasting(nanos[TIMED / 2]);
        long[] same = new long[TIMED];
        for (int i = 0; i < TIMED; i++) {
            nanos[i] = few.time();
            same[i] = arithmetic.run();
        }
        long allocated = few.allocated();
        return new DecisionFigures(
                percentiles(nanos),
                percentiles(new DecisionBenchmark(source, 64).nanos()),
                percentiles(new DecisionBenchmark(source, 256).nanos()),
                percentiles(same),
                allocated);
    }

    /** How long decisions take after warm-up, sorted. */
    private long[] nanos() {
        for (int i = 0; i < WARM_UP; i++) {
            time();
        }
        long[] nanos = new long[TIMED];
        for (int i = 0; i < TIMED; i++) {
            nanos[i] = time();
        }
        Arrays.sort(nanos);
        return nanos;
    }

    private long time() {
        long start = System.nanoTime();
        route(read(sent % REQUESTS));
        long nanos = System.nanoTime() - start;
        closeOldest();
        return nanos;
    }

    private static DecisionFigures.Percentiles percentiles(long[] nanos) {
        Arrays.sort(nanos);
        return new DecisionFigures.Percentiles(micros(nanos[TIMED / 2]), micros(nanos[TIMED / 100 * 99]));
    }

    private long allocated() {
        if (!(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads)) {
            throw new IllegalStateException("this JVM does not count what a thread allocates");
        }
        long allocated = 0;
        for (int i = 0; i < REQUESTS; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            route(read(sent % REQUESTS));
            allocated += threads.getCurrentThreadAllocatedBytes() - before;
            closeOldest();
        }
        return allocated / REQUESTS;
    }

    private ExpertCounts read(int request) {
        return RawForm.read("signature", requests.get(request), GEOMETRY);
    }

    private void route(ExpertCounts counts) {
        ReservingRouter.Routed<Decision.Chosen> routed = router.route(
                POOL,
                "request-" + sent++,
                DecisionRequest.of(counts),
                Lease.DEFAULT,
                state::get,
                random,
                chosen -> chosen);
        if (!(routed instanceof ReservingRouter.Opened<Decision.Chosen>(Reservation<Decision.Chosen> reservation))) {
            throw new IllegalStateException("not placed: " + routed);
        }
        inFlight.add(reservation);
    }

    private void closeOldest() {
        if (inFlight.size() > open) {
            reservations.close(inFlight.remove().id(), Outcome.COMPLETED);
        }
    }

    private static PoolSnapshot snapshot(MadeUpRequests source, int decoders) {
        RoutingArtifact artifact = MadeUpArtifact.of(source, GEOMETRY, decoders);
        return PoolSnapshot.of(
                POOL,
                1,
                Optional.of(ActiveArtifact.of(1, artifact, artifact.slots())),
                artifact.slots().stream()
                        .map(slot -> Decoder.of(new Incarnation(slot, "1"), "http://" + slot))
                        .toList(),
                new BandRule(artifact.recommendedTau(), BandRule.defaultMinCandidates(decoders)),
                false);
    }

    private static double micros(long nanos) {
        return Math.round(nanos / 10.0) / 100.0;
    }
}
