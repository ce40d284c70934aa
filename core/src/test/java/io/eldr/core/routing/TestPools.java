package io.eldr.core.routing;

import io.eldr.core.artifact.Evidence;
import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.clustering.Centroids;
import io.eldr.core.load.Incarnation;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.IdfWeights;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.Representation;
import io.eldr.core.signature.SignatureSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Pools, artifacts and requests for tests. */
final class TestPools {
    private TestPools() {}

    static Decoder decoder(String slot) {
        return Decoder.of(new Incarnation(slot, "uid-1"), "http://" + slot + ":8000");
    }

    static Decoder decoder(String slot, double weight) {
        return new Decoder(new Incarnation(slot, "uid-1"), "http://" + slot + ":8000", weight, OptionalInt.empty());
    }

    static Decoder limited(String slot, int maxInFlight) {
        return new Decoder(new Incarnation(slot, "uid-1"), "http://" + slot + ":8000", 1, OptionalInt.of(maxInFlight));
    }

    static List<Decoder> decoders(int count) {
        return IntStream.range(0, count).mapToObj(i -> decoder("decoder-" + i)).toList();
    }

    static List<String> slots(int count) {
        return IntStream.range(0, count).mapToObj(i -> "decoder-" + i).toList();
    }

    static PoolSnapshot withoutArtifact(List<Decoder> decoders) {
        return PoolSnapshot.of("demo", 0, Optional.empty(), decoders, new BandRule(0.1, 2), true);
    }

    static PoolSnapshot snapshot(RoutingArtifact artifact, List<Decoder> decoders, double tau, int minCandidates) {
        List<String> live = decoders.stream().map(Decoder::id).toList();
        return PoolSnapshot.of(
                "demo",
                3,
                Optional.of(ActiveArtifact.of(2, artifact, live)),
                decoders,
                new BandRule(tau, minCandidates),
                false);
    }

    /** One layer whose cluster k has the centroid given, of as many experts as it has values. */
    static RoutingArtifact artifact(double[]... centroids) {
        int experts = centroids[0].length;
        float[] values = new float[centroids.length * experts];
        for (int k = 0; k < centroids.length; k++) {
            double norm = Math.sqrt(Arrays.stream(centroids[k]).map(v -> v * v).sum());
            for (int e = 0; e < experts; e++) {
                values[k * experts + e] = (float) (centroids[k][e] / norm);
            }
        }
        SignatureSpec spec = SignatureSpec.count(1, experts, LayerMask.all(1));
        return new RoutingArtifact(
                new ModelIdentity("toy", "", new Geometry(1, experts, 1)),
                spec,
                Centroids.of(centroids.length, experts, values),
                slots(centroids.length),
                0.1,
                Evidence.NONE);
    }

    static ExpertCounts counts(int... cells) {
        return ExpertCounts.of(1, cells.length, cells);
    }

    static RoutingArtifact randomArtifact(
            RandomGenerator random, Representation representation, int layers, int experts, int clusters) {
        int[] layersInMask =
                IntStream.range(0, layers).filter(_ -> random.nextBoolean()).toArray();
        LayerMask mask = layersInMask.length == 0
                ? LayerMask.of(layers, random.nextInt(layers))
                : LayerMask.of(layers, layersInMask);
        SignatureSpec spec = switch (representation) {
            case COUNT -> SignatureSpec.count(layers, experts, mask);
            case BINARY -> SignatureSpec.binary(layers, experts, mask);
            case COUNT_IDF -> SignatureSpec.countIdf(mask, randomIdf(random, layers, experts));
        };
        return new RoutingArtifact(
                new ModelIdentity("toy", "", new Geometry(layers, experts, 1)),
                spec,
                randomCentroids(random, clusters, spec.dimensions()),
                slots(clusters),
                0.1,
                Evidence.NONE);
    }

    static ExpertCounts randomCounts(RandomGenerator random, int layers, int experts) {
        int most = 1 << random.nextInt(1, 16);
        return ExpertCounts.of(
                layers,
                experts,
                random.ints((long) layers * experts, 0, most)
                        .map(c -> random.nextBoolean() ? c : 0)
                        .toArray());
    }

    private static IdfWeights randomIdf(RandomGenerator random, int layers, int experts) {
        List<ExpertCounts> requests = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            requests.add(randomCounts(random, layers, experts));
        }
        return IdfWeights.fit(layers, experts, requests);
    }

    private static Centroids randomCentroids(RandomGenerator random, int clusters, int dimensions) {
        float[] values = new float[clusters * dimensions];
        for (int k = 0; k < clusters; k++) {
            double[] x = random.doubles(dimensions).toArray();
            double norm = 0;
            for (double v : x) {
                norm += v * v;
            }
            for (int d = 0; d < dimensions; d++) {
                values[k * dimensions + d] = (float) (x[d] / Math.sqrt(norm));
            }
        }
        return Centroids.of(clusters, dimensions, values);
    }
}
