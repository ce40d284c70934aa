package io.eldr.benchmarks;

import io.eldr.core.clustering.BalancedClusters;
import io.eldr.core.clustering.BalancedSphericalKMeans;
import io.eldr.core.clustering.SignatureMatrix;
import io.eldr.core.quality.LayerProducts;
import io.eldr.core.quality.RequestPairs;
import io.eldr.core.quality.Rho;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.IdfWeights;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.SignatureSpec;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Parallel;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A fit of very many requests with all layers given: rho of the three representations over all layers on 5,000 of the
 * requests, which is {@code maskSeconds} here as there is no mask to search for; signatures in plain counts; one K-means
 * start of at most 12 iterations. Requests are made up a few at a time while signatures are built from them, which is not
 * counted.
 */
final class LargeFitBenchmark {
    private static final Geometry GEOMETRY = FitBenchmark.GEOMETRY;
    private static final LayerMask ALL_LAYERS = LayerMask.all(GEOMETRY.layers());
    private static final int REQUESTS = 100_000;
    private static final int CLUSTERS = 64;
    private static final int MAX_ITERATIONS = 12;
    private static final long SEED = 1;
    /** Rho is measured on so many requests; the counts of all would need more memory than their signatures. */
    private static final int COMPARED = 5_000;

    private static final int MADE_AT_ONCE = 64;

    private LargeFitBenchmark() {}

    static FitFigures measure() {
        MadeUpRequests requests = new MadeUpRequests(GEOMETRY, 4 * FitBenchmark.TOPICS, SEED);
        try (Heap heap = Heap.watch()) {
            return Cores.use(parallel -> measure(requests, parallel, heap));
        }
    }

    private static FitFigures measure(MadeUpRequests requests, Parallel parallel, Heap heap) {
        Stopwatch all = new Stopwatch();
        Stopwatch comparing = new Stopwatch();
        List<RequestSample> compared = requests.samples(COMPARED);
        all.time(() -> comparing.time(() -> compareRepresentations(compared, parallel)));

        Stopwatch making = new Stopwatch();
        Stopwatch clustering = new Stopwatch();
        SignatureSpec spec = SignatureSpec.count(GEOMETRY.layers(), GEOMETRY.experts(), ALL_LAYERS);
        SignatureMatrix matrix = all.time(() -> SignatureMatrix.of(spec, counted(requests, making, parallel)));
        BalancedClusters clusters = all.time(() ->
                clustering.time(() -> BalancedSphericalKMeans.fit(matrix, CLUSTERS, SEED, MAX_ITERATIONS, parallel)));
        return new FitFigures(
                REQUESTS,
                CLUSTERS,
                spec.dimensions(),
                SEED,
                all.secondsWithout(making),
                comparing.seconds(),
                clustering.seconds(),
                heap.peakMiB(),
                clusters.objective());
    }

    /** Requests made up a few at a time, on both cores. */
    private static Iterable<ExpertCounts> counted(MadeUpRequests requests, Stopwatch making, Parallel parallel) {
        return () -> IntStream.range(0, Math.ceilDiv(REQUESTS, MADE_AT_ONCE))
                .boxed()
                .flatMap(block -> Arrays.stream(making.time(() -> made(requests, block, parallel))))
                .iterator();
    }

    private static ExpertCounts[] made(MadeUpRequests requests, int block, Parallel parallel) {
        int from = block * MADE_AT_ONCE;
        ExpertCounts[] made = new ExpertCounts[Math.min(MADE_AT_ONCE, REQUESTS - from)];
        parallel.forEach(made.length, (lane, i) -> made[i] = requests.prompt(from + i));
        return made;
    }

    /** Rho of each representation over all layers, as a fit with a given mask measures it. */
    private static List<OptionalDouble> compareRepresentations(List<RequestSample> samples, Parallel parallel) {
        List<ExpertCounts> prompts =
                samples.stream().map(RequestSample::prefill).toList();
        List<ExpertCounts> decoded =
                samples.stream().flatMap(sample -> sample.decode().stream()).toList();
        RequestPairs pairs =
                RequestPairs.random(samples.size(), RequestPairs.DEFAULT_COUNT, new SplittableRandom(SEED));
        Rho rho = Rho.against(decoded, pairs, parallel);
        int layers = GEOMETRY.layers();
        int experts = GEOMETRY.experts();
        return Stream.of(
                        SignatureSpec.count(layers, experts, ALL_LAYERS),
                        SignatureSpec.countIdf(ALL_LAYERS, IdfWeights.fit(layers, experts, prompts)),
                        SignatureSpec.binary(layers, experts, ALL_LAYERS))
                .map(spec -> rho.of(LayerProducts.of(spec, prompts, pairs, parallel), ALL_LAYERS))
                .toList();
    }
}
