package io.eldr.core.calibration;

import io.eldr.core.artifact.DecodeForecast;
import io.eldr.core.artifact.PatternNeighbours;
import io.eldr.core.clustering.BalancedSphericalKMeans;
import io.eldr.core.clustering.Centroids;
import io.eldr.core.clustering.SignatureMatrix;
import io.eldr.core.placement.DecodePatterns;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.SignatureSpec;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Parallel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Finds out how to tell from a prompt which experts its answer will use: by the prompt's own frequencies, by its cluster's
 * decode pattern, by that of its nearest small groups, or by a mixture. Each is fitted on the fit part and judged on the
 * select part, by the log-loss of what the answers did use.
 */
final class ForecastFit {
    /** So many groups at most: each costs a decision a product of a few layers, and the artifact a pattern. */
    private static final int MOST_GROUPS = 64;

    private static final int REQUESTS_OF_A_GROUP = 4;
    private static final int NEAREST = 4;
    /** Similarity is judged on so many cells at most. */
    private static final int MOST_DIMENSIONS = 1_024;

    private static final int MOST_GROUPED = 4_000;
    private static final int MOST_JUDGED = 256;
    private static final int ITERATIONS = 10;
    private static final double[] TEMPERATURES = {0.01, 0.02, 0.03, 0.05, 0.1};
    private static final double USUAL_SHARE = 0.2;
    private static final double[] SHARES = {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1};

    private final Geometry geometry;
    private final List<RequestSample> fitted;
    private final List<RequestSample> judged;
    private final List<RequestSample> all;
    private final long seed;
    private final Parallel parallel;

    private ForecastFit(
            Geometry geometry,
            List<RequestSample> fitted,
            List<RequestSample> judged,
            List<RequestSample> all,
            long seed,
            Parallel parallel) {
        this.geometry = geometry;
        this.fitted = fitted;
        this.judged = judged;
        this.all = all;
        this.seed = seed;
        this.parallel = parallel;
    }

    /** A pattern that is tried, and what it costs with the share of the prompt that suits it best. */
    private record Tried(Optional<PatternNeighbours> neighbours, List<Double> lossOfShares) {
        int best() {
            int best = 0;
            for (int i = 1; i < lossOfShares.size(); i++) {
                best = lossOfShares.get(i) < lossOfShares.get(best) ? i : best;
            }
            return best;
        }

        double loss() {
            return lossOfShares.get(best());
        }
    }

    /** Absent where no decode counts say what prompts foretell. */
    static Optional<DecodeForecast> of(
            MaskedRepresentation chosen,
            Centroids centroids,
            SampleSplit split,
            Geometry geometry,
            long seed,
            Parallel parallel) {
        List<RequestSample> fitted = decoded(split.fit());
        List<RequestSample> judged = spread(decoded(split.select()), MOST_JUDGED);
        if (fitted.isEmpty()
                || judged.isEmpty()
                || !DecodePatterns.fits(centroids.count(), geometry.layers(), geometry.experts())) {
            return Optional.empty();
        }
        List<RequestSample> all = new ArrayList<>(fitted);
        if (!split.select().equals(split.fit())) {
            all.addAll(decoded(split.select()));
        }
        return Optional.of(new ForecastFit(geometry, fitted, judged, all, seed, parallel).best(chosen, centroids));
    }

    private DecodeForecast best(MaskedRepresentation chosen, Centroids centroids) {
        Tried cluster = new Tried(
                Optional.empty(),
                losses(
                        new Likelihoods(chosen.spec(), centroids, 1, 1),
                        patterns(chosen.spec(), centroids, fitted).orElseThrow(),
                        SHARES));
        Optional<Tried> neighbours = neighbours(chosen);
        Map<String, Double> logLoss = new TreeMap<>();
        logLoss.put("prompt", cluster.lossOfShares().getLast());
        name(cluster, "cluster", logLoss);
        neighbours.ifPresent(found -> name(found, "neighbours", logLoss));
        Tried best = neighbours.filter(found -> found.loss() < cluster.loss()).orElse(cluster);
        return new DecodeForecast(SHARES[best.best()], best.neighbours(), logLoss);
    }

    private static void name(Tried tried, String name, Map<String, Double> logLoss) {
        logLoss.put(name, tried.lossOfShares().getFirst());
        logLoss.put("prompt+" + name, tried.loss());
    }

    private Optional<Tried> neighbours(MaskedRepresentation chosen) {
        List<RequestSample> grouped = spread(fitted, MOST_GROUPED);
        int groups = Math.min(MOST_GROUPS, grouped.size() / REQUESTS_OF_A_GROUP);
        if (groups < 2 || !DecodePatterns.fits(groups, geometry.layers(), geometry.experts())) {
            return Optional.empty();
        }
        SignatureSpec spec = SignatureSpec.count(geometry.layers(), geometry.experts(), mask(chosen));
        Centroids centroids = BalancedSphericalKMeans.fit(
                        SignatureMatrix.of(
                                spec,
                                grouped.stream().map(RequestSample::prefill).toList()),
                        groups,
                        seed,
                        ITERATIONS,
                        parallel)
                .centroids();
        DecodePatterns ofFit = patterns(spec, centroids, fitted).orElseThrow();
        int nearest = Math.min(NEAREST, groups);
        double best = TEMPERATURES[0];
        double least = Double.POSITIVE_INFINITY;
        for (double temperature : TEMPERATURES) {
            double loss = losses(new Likelihoods(spec, centroids, nearest, temperature), ofFit, USUAL_SHARE)
                    .getFirst();
            if (loss < least) {
                least = loss;
                best = temperature;
            }
        }
        PatternNeighbours found = new PatternNeighbours(
                spec.mask(), centroids, patterns(spec, centroids, all).orElseThrow(), nearest, best);
        return Optional.of(
                new Tried(Optional.of(found), losses(new Likelihoods(spec, centroids, nearest, best), ofFit, SHARES)));
    }

    /** The chosen layers, those first that the search took first, as many as decisions can afford. */
    private LayerMask mask(MaskedRepresentation chosen) {
        int most = Math.max(1, MOST_DIMENSIONS / geometry.experts());
        int size = Math.min(most, chosen.spec().mask().size());
        int[] layers = chosen.maskOrder().isEmpty()
                ? IntStream.range(0, size)
                        .map(i -> chosen.spec().mask().layer((int)
                                ((long) i * chosen.spec().mask().size() / size)))
                        .toArray()
                : chosen.maskOrder().stream().mapToInt(i -> i).limit(size).toArray();
        return LayerMask.ofUnordered(geometry.layers(), layers);
    }

    private Optional<DecodePatterns> patterns(SignatureSpec spec, Centroids centroids, List<RequestSample> samples) {
        return ClusterPatterns.of(geometry, Grouping.by(spec, centroids, samples, parallel), samples, parallel);
    }

    /** In nats for each layer of a token, the mean over the judged requests. */
    private List<Double> losses(Likelihoods likelihoods, DecodePatterns patterns, double... shares) {
        double[][] each = new double[judged.size()][];
        parallel.forEach(
                each.length, (lane, r) -> each[r] = likelihoods.losses(judged.get(r), patterns, geometry, shares));
        double[] mean = new double[shares.length];
        for (double[] losses : each) {
            for (int i = 0; i < mean.length; i++) {
                mean[i] += losses[i] / each.length;
            }
        }
        return Arrays.stream(mean).boxed().toList();
    }

    private static List<RequestSample> decoded(List<RequestSample> samples) {
        return samples.stream()
                .filter(sample ->
                        sample.decode().isPresent() && !sample.prefill().isZero())
                .toList();
    }

    /** At most so many of them, evenly over the list. */
    private static List<RequestSample> spread(List<RequestSample> samples, int most) {
        if (samples.size() <= most) {
            return samples;
        }
        return IntStream.range(0, most)
                .mapToObj(i -> samples.get((int) ((long) i * samples.size() / most)))
                .toList();
    }
}
