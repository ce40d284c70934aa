package io.eldr.benchmarks;

import io.eldr.core.artifact.Evidence;
import io.eldr.core.artifact.HeldOutStatistics;
import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.clustering.BalancedSphericalKMeans;
import io.eldr.core.clustering.Centroids;
import io.eldr.core.clustering.SignatureMatrix;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.SignatureSpec;
import io.eldr.core.vector.Parallel;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** A small fit on made-up requests, over all layers: as expensive to decide with as a good one. */
public final class MadeUpArtifact {
    public static final String MODEL = "made-up";
    static final double TAU = 0.02;

    private static final int FITTED_PER_CLUSTER = 4;
    private static final int FIT_ITERATIONS = 2;
    private static final long SEED = 1;
    private static final int BINS = 20;

    private MadeUpArtifact() {}

    /** An artifact with a cluster for each of {@code decoder-0..}. */
    public static RoutingArtifact of(MadeUpRequests source, Geometry geometry, int decoders) {
        SignatureSpec spec =
                SignatureSpec.count(geometry.layers(), geometry.experts(), LayerMask.all(geometry.layers()));
        SignatureMatrix matrix = SignatureMatrix.of(
                spec,
                IntStream.range(0, decoders * FITTED_PER_CLUSTER)
                        .mapToObj(source::prompt)
                        .toList());
        Centroids centroids = BalancedSphericalKMeans.fit(matrix, decoders, SEED, FIT_ITERATIONS, Parallel.sequential())
                .centroids();
        return new RoutingArtifact(
                new ModelIdentity(MODEL, "", geometry), spec, centroids, slots(decoders), TAU, evidence(decoders));
    }

    static List<String> slots(int decoders) {
        return IntStream.range(0, decoders).mapToObj(i -> "decoder-" + i).toList();
    }

    /** With figures of held-out requests, without which nobody would count what requests are like. */
    private static Evidence evidence(int clusters) {
        HeldOutStatistics heldOut = new HeldOutStatistics(
                BINS, Collections.nCopies(clusters, 1.0 / clusters), Collections.nCopies(BINS, 1), 0.5, 1, List.of(0f));
        return new Evidence(0, SEED, Map.of(), List.of(), List.of(), Optional.of(heldOut), Map.of());
    }
}
