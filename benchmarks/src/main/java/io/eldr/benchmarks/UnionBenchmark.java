package io.eldr.benchmarks;

import io.eldr.core.artifact.DecodeForecast;
import io.eldr.core.artifact.Evidence;
import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.artifact.PatternNeighbours;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.clustering.BalancedSphericalKMeans;
import io.eldr.core.clustering.Centroids;
import io.eldr.core.clustering.SignatureMatrix;
import io.eldr.core.load.Incarnation;
import io.eldr.core.load.Lease;
import io.eldr.core.load.LoadLedger;
import io.eldr.core.load.Outcome;
import io.eldr.core.load.Reservation;
import io.eldr.core.load.ReservationListener;
import io.eldr.core.load.Reservations;
import io.eldr.core.placement.DecodePatterns;
import io.eldr.core.placement.PatternBasis;
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
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.RawForm;
import io.eldr.core.signature.SignatureSpec;
import io.eldr.core.vector.Parallel;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Decisions of policies eldr and union on one thread over 48 x 128 experts, with the upkeep of opening and closing: requests
 * that use every expert, in turn, each read from its raw form, decided and reserved, then the oldest is closed; a few are in
 * flight on each decoder all the time. The forecast mixes the prompt with the nearest 4 of 64 groups, the dearest there is.
 */
final class UnionBenchmark {
    private static final Geometry GEOMETRY = FitBenchmark.GEOMETRY;
    private static final int REQUESTS = 256;
    private static final int GROUPS = 64;
    private static final LayerMask GROUP_LAYERS = LayerMask.of(GEOMETRY.layers(), 3, 9, 15, 21, 27, 33, 39, 45);
    private static final int FIT_ITERATIONS = 2;
    private static final double TAU = 0.02;
    private static final int IN_FLIGHT_PER_DECODER = 8;
    private static final int REMEMBERED = 10_000;
    private static final int WARM_UP = 15_000;
    private static final int TIMED = 15_000;
    private static final long SEED = 1;
    private static final String POOL = "made-up";

    private final List<byte[]> requests;
    private final PoolState state;
    private final Reservations<Decision.Chosen> reservations;
    private final ReservingRouter<Decision.Chosen> router;
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final ArrayDeque<Reservation<Decision.Chosen>> open = new ArrayDeque<>();
    private final int mostOpen;
    private int sent;

    private UnionBenchmark(MadeUpRequests source, RoutingArtifact artifact, PolicyName policy) {
        requests = IntStream.range(0, REQUESTS)
                .mapToObj(i -> RawForm.write(dense(source.prompt(i))))
                .toList();
        mostOpen = IN_FLIGHT_PER_DECODER * artifact.clusters();
        LoadLedger ledger = new LoadLedger();
        ActiveArtifact active = ActiveArtifact.of(1, artifact, artifact.slots());
        PoolSnapshot plain = PoolSnapshot.of(
                POOL,
                1,
                Optional.of(active),
                artifact.slots().stream()
                        .map(slot -> Decoder.of(new Incarnation(slot, "1"), "http://" + slot))
                        .toList(),
                new BandRule(TAU, BandRule.defaultMinCandidates(artifact.clusters())),
                false);
        PoolSnapshot snapshot = policy.needsUse() ? plain.withForecast(active.forecast()) : plain;
        state = new PoolState(snapshot, ledger.view(snapshot.incarnations()), policy.create());
        reservations = new Reservations<>(
                "router", SEED, ledger, InstantSource.system(), ReservationListener.none(), REMEMBERED);
        router = new ReservingRouter<>(reservations);
    }

    static UnionFigures measure() {
        MadeUpRequests source = new MadeUpRequests(GEOMETRY, FitBenchmark.TOPICS, SEED);
        RoutingArtifact few = artifact(source, 16);
        RoutingArtifact many = artifact(source, 64);
        return new UnionFigures(
                new UnionBenchmark(source, few, PolicyName.ELDR).percentiles(),
                new UnionBenchmark(source, few, PolicyName.UNION).percentiles(),
                new UnionBenchmark(source, many, PolicyName.ELDR).percentiles(),
                new UnionBenchmark(source, many, PolicyName.UNION).percentiles());
    }

    private DecisionFigures.Percentiles percentiles() {
        long[] nanos = new long[TIMED];
        for (int i = -WARM_UP; i < TIMED; i++) {
            long start = System.nanoTime();
            route();
            if (open.size() > mostOpen) {
                reservations.close(open.remove().id(), Outcome.COMPLETED);
            }
            if (i >= 0) {
                nanos[i] = System.nanoTime() - start;
            }
        }
        Arrays.sort(nanos);
        return new DecisionFigures.Percentiles(micros(nanos[TIMED / 2]), micros(nanos[TIMED / 100 * 99]));
    }

    private void route() {
        ExpertCounts counts = RawForm.read("signature", requests.get(sent % REQUESTS), GEOMETRY);
        ReservingRouter.Routed<Decision.Chosen> routed = router.route(
                POOL,
                "request-" + sent++,
                DecisionRequest.of(counts),
                Lease.DEFAULT,
                () -> state,
                random,
                chosen -> chosen);
        if (!(routed instanceof ReservingRouter.Opened<Decision.Chosen>(Reservation<Decision.Chosen> reservation))) {
            throw new IllegalStateException("not placed: " + routed);
        }
        open.add(reservation);
    }

    private static RoutingArtifact artifact(MadeUpRequests source, int decoders) {
        SignatureSpec spec =
                SignatureSpec.count(GEOMETRY.layers(), GEOMETRY.experts(), LayerMask.all(GEOMETRY.layers()));
        SignatureSpec ofGroups = SignatureSpec.count(GEOMETRY.layers(), GEOMETRY.experts(), GROUP_LAYERS);
        PatternNeighbours neighbours = new PatternNeighbours(
                GROUP_LAYERS, centroids(source, ofGroups, GROUPS), patterns(source, GROUPS), 4, 0.03);
        return new RoutingArtifact(
                new ModelIdentity(POOL, "", GEOMETRY),
                spec,
                centroids(source, spec, decoders),
                IntStream.range(0, decoders).mapToObj(i -> "decoder-" + i).toList(),
                TAU,
                new Evidence(
                        0,
                        SEED,
                        Map.of(),
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        Optional.of(patterns(source, decoders)),
                        Map.of(),
                        Map.of(),
                        Optional.of(new DecodeForecast(0.3, Optional.of(neighbours), Map.of()))));
    }

    private static Centroids centroids(MadeUpRequests source, SignatureSpec spec, int count) {
        SignatureMatrix matrix = SignatureMatrix.of(
                spec, IntStream.range(0, 2 * count).mapToObj(source::prompt).toList());
        return BalancedSphericalKMeans.fit(matrix, count, SEED, FIT_ITERATIONS, Parallel.sequential())
                .centroids();
    }

    /** Each that of one request. */
    private static DecodePatterns patterns(MadeUpRequests source, int count) {
        double[] probabilities = new double[count * GEOMETRY.cells()];
        for (int m = 0; m < count; m++) {
            ExpertCounts counts = source.prompt(m);
            double tokens = (double) counts.layerSum(0) / GEOMETRY.topK();
            for (int cell = 0; cell < GEOMETRY.cells(); cell++) {
                probabilities[m * GEOMETRY.cells() + cell] = Math.min(1, counts.cell(cell) / tokens);
            }
        }
        return DecodePatterns.of(
                GEOMETRY.layers(), GEOMETRY.experts(), Collections.nCopies(count, PatternBasis.DECODE), probabilities);
    }

    private static ExpertCounts dense(ExpertCounts counts) {
        return ExpertCounts.of(
                counts.layers(),
                counts.experts(),
                Arrays.stream(counts.toArray()).map(count -> count + 1).toArray());
    }

    private static double micros(long nanos) {
        return Math.round(nanos / 10.0) / 100.0;
    }
}
