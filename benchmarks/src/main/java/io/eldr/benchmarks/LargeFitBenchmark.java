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
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A fit of very many requests with all layers given: rho of the three representations on a part of the requests, then one
 * K-means start of at most 12 iterations on plain counts. Requests are made up one by one while signatures are built from
 * them, which is not counted.
 */
final class LargeFitBenchmark {
    private static final Geometry GEOMETRY = FitBenchmark.GEOMETRY;
    private static final int REQUESTS = 100_000;
    private static final int CLUSTERS = 64;
    private static final int MAX_ITERATIONS = 12;
    private static final long SEED = 1;
    /** Rho is measured on so many requests; the counts of all would need more memory than their signatures. */
    private static final int COMPARED = 5_000;

    private LargeFitBenchmark() {}

    static FitFigures measure() {
        MadeUpRequests requests = new MadeUpRequests(GEOMETRY, 4 * FitBenchmark.TOPICS, SEED);
        Heap.resetPeak();
        return Cores.use(parallel -> {
            double maskSeconds = compareRepresentations(requests.samples(COMPARED), parallel);
            LayerMask all = LayerMask.all(GEOMETRY.layers());
            SignatureSpec spec = SignatureSpec.count(GEOMETRY.layers(), GEOMETRY.experts(), all);
            Stopwatch making = new Stopwatch();
            Stopwatch building = new Stopwatch();
            SignatureMatrix matrix = building.time(() -> SignatureMatrix.of(spec, counted(requests, making)));
            Stopwatch clustering = new Stopwatch();
            BalancedClusters clusters = clustering.time(
                    () -> BalancedSphericalKMeans.fit(matrix, CLUSTERS, SEED, MAX_ITERATIONS, parallel));
            return new FitFigures(
                    REQUESTS,
                    CLUSTERS,
                    spec.dimensions(),
                    SEED,
                    maskSeconds + building.seconds() - making.seconds() + clustering.seconds(),
                    maskSeconds,
                    clustering.seconds(),
                    Heap.peakMiB(),
                    clusters.objective());
        });
    }

    private static Iterable<ExpertCounts> counted(MadeUpRequests requests, Stopwatch making) {
        return () -> {
            Iterator<Integer> indices = IntStream.range(0, REQUESTS).iterator();
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return indices.hasNext();
                }

                @Override
                public ExpertCounts next() {
                    int request = indices.next();
                    return making.time(() -> requests.prompt(request));
                }
            };
        };
    }

    /** Rho of each representation over all layers, as a fit with a given mask measures it; in seconds. */
    private static double compareRepresentations(List<RequestSample> samples, Parallel parallel) {
        List<ExpertCounts> prompts =
                samples.stream().map(RequestSample::prefill).toList();
        List<ExpertCounts> decoded =
                samples.stream().flatMap(sample -> sample.decode().stream()).toList();
        LayerMask all = LayerMask.all(GEOMETRY.layers());
        Stopwatch comparing = new Stopwatch();
        comparing.time(() -> {
            RequestPairs pairs =
                    RequestPairs.random(samples.size(), RequestPairs.DEFAULT_COUNT, new SplittableRandom(SEED));
            Rho rho = Rho.against(decoded, pairs, parallel);
            return List.of(
                            SignatureSpec.count(GEOMETRY.layers(), GEOMETRY.experts(), all),
                            SignatureSpec.countIdf(all, IdfWeights.fit(GEOMETRY.layers(), GEOMETRY.experts(), prompts)),
                            SignatureSpec.binary(GEOMETRY.layers(), GEOMETRY.experts(), all))
                    .stream()
                    .map(spec -> rho.of(LayerProducts.of(spec, prompts, pairs, parallel), all))
                    .toList();
        });
        return comparing.seconds();
    }
}
