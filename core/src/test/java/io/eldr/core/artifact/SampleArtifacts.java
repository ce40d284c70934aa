package io.eldr.core.artifact;

import io.eldr.core.clustering.Centroids;
import io.eldr.core.placement.DecodePatterns;
import io.eldr.core.placement.PatternBasis;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.IdfWeights;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.Representation;
import io.eldr.core.signature.SignatureSpec;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Artifacts of every kind, random by seed but always valid. */
final class SampleArtifacts {
    static final Geometry GEOMETRY = new Geometry(5, 8, 2);
    static final LayerMask MASK = LayerMask.of(5, 1, 3, 4);

    private SampleArtifacts() {}

    static RoutingArtifact random(long seed, Representation representation) {
        RandomGenerator random = new SplittableRandom(seed);
        SignatureSpec spec = switch (representation) {
            case COUNT -> SignatureSpec.count(5, 8, MASK);
            case BINARY -> SignatureSpec.binary(5, 8, MASK);
            case COUNT_IDF -> SignatureSpec.countIdf(MASK, IdfWeights.of(5, 8, floats(random, 40)));
        };
        int clusters = 1 + random.nextInt(6);
        HeldOutStatistics heldOut = new HeldOutStatistics(
                100,
                IntStream.range(0, clusters).mapToObj(k -> 1.0 / clusters).toList(),
                List.of(0, 40, 60),
                0.75,
                1.0,
                List.of(0f, 0.1f, 0.5f));
        return new RoutingArtifact(
                new ModelIdentity("tiny-moe", "r" + seed, GEOMETRY),
                spec,
                unitCentroids(random, clusters, spec.dimensions()),
                IntStream.range(0, clusters).mapToObj(k -> "decoder-" + k).toList(),
                random.nextDouble(),
                new Evidence(
                        300,
                        seed,
                        Map.of(representation, new Evidence.Rho(0.8, Optional.of(0.75))),
                        List.of(3, 1, 4, 0, 2),
                        List.of(0.5, 0.6, 0.7, 0.65, Double.NaN),
                        Optional.of(heldOut),
                        Optional.of(patterns(random, clusters)),
                        Map.of("note", "{\"by\":[1,2.5,null,true]}"),
                        seed % 2 == 0 ? Map.of() : Map.of("law, \"civil\"", 0.25, "code", 0.75),
                        seed % 3 == 0 ? Optional.empty() : Optional.of(forecast(random, seed % 3 == 1))));
    }

    private static DecodeForecast forecast(RandomGenerator random, boolean neighbours) {
        int groups = 1 + random.nextInt(5);
        LayerMask mask = LayerMask.of(5, 0, 2);
        return new DecodeForecast(
                random.nextDouble(),
                neighbours
                        ? Optional.of(new PatternNeighbours(
                                mask, unitCentroids(random, groups, 16), patterns(random, groups), 1, 0.05))
                        : Optional.empty(),
                Map.of("prompt", random.nextDouble(), "prompt+cluster", 1.25));
    }

    private static DecodePatterns patterns(RandomGenerator random, int clusters) {
        double[] probabilities = new double[clusters * GEOMETRY.cells()];
        Arrays.setAll(probabilities, i -> random.nextDouble());
        return DecodePatterns.of(5, 8, Collections.nCopies(clusters, PatternBasis.DECODE), probabilities);
    }

    static Centroids unitCentroids(RandomGenerator random, int clusters, int dimensions) {
        float[] values = floats(random, clusters * dimensions);
        for (int k = 0; k < clusters; k++) {
            double square = 0;
            for (int d = 0; d < dimensions; d++) {
                square += (double) values[k * dimensions + d] * values[k * dimensions + d];
            }
            for (int d = 0; d < dimensions; d++) {
                values[k * dimensions + d] /= (float) Math.sqrt(square);
            }
        }
        return Centroids.of(clusters, dimensions, values);
    }

    private static float[] floats(RandomGenerator random, int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextFloat();
        }
        return values;
    }
}
