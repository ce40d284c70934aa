package io.eldr.router.testing;

import io.eldr.core.artifact.Evidence;
import io.eldr.core.artifact.HeldOutStatistics;
import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.clustering.Centroids;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.SignatureSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** A small model, artifacts for it and counts of it, all by seed. */
public final class Fixtures {

    public static final Geometry GEOMETRY = new Geometry(4, 8, 2);
    public static final ModelIdentity MODEL = new ModelIdentity("tiny-moe", "", GEOMETRY);

    private Fixtures() {}

    public static List<String> slots(int decoders) {
        return IntStream.range(0, decoders).mapToObj(i -> "decoder-" + i).toList();
    }

    /** An artifact of the small model with a cluster for each of {@code decoder-0..}. */
    public static RoutingArtifact artifact(long seed, int clusters) {
        return artifact(MODEL, seed, clusters, 0.1);
    }

    public static RoutingArtifact artifact(ModelIdentity model, long seed, int clusters, double tau) {
        Geometry geometry = model.geometry();
        SignatureSpec spec =
                SignatureSpec.count(geometry.layers(), geometry.experts(), LayerMask.all(geometry.layers()));
        SplittableRandom random = new SplittableRandom(seed);
        int dimensions = spec.dimensions();
        float[] values = new float[clusters * dimensions];
        for (int k = 0; k < clusters; k++) {
            double square = 0;
            for (int d = 0; d < dimensions; d++) {
                values[k * dimensions + d] = (float) Math.pow(random.nextDouble(), 4);
                square += values[k * dimensions + d] * values[k * dimensions + d];
            }
            for (int d = 0; d < dimensions; d++) {
                values[k * dimensions + d] /= (float) Math.sqrt(square);
            }
        }
        return new RoutingArtifact(
                model, spec, Centroids.of(clusters, dimensions, values), slots(clusters), tau, Evidence.NONE);
    }

    /** The same with figures of held-out requests, all of them alike. */
    public static RoutingArtifact withStatistics(RoutingArtifact artifact, int bins) {
        int clusters = artifact.clusters();
        List<Integer> histogram = new ArrayList<>(Collections.nCopies(bins, 0));
        histogram.set(bins - 1, 100);
        Evidence none = artifact.evidence();
        return new RoutingArtifact(
                artifact.model(),
                artifact.spec(),
                artifact.centroids(),
                artifact.slots(),
                artifact.recommendedTau(),
                new Evidence(
                        none.fittedRequests(),
                        none.seed(),
                        none.rho(),
                        none.maskOrder(),
                        none.maskCurve(),
                        Optional.of(new HeldOutStatistics(
                                100, Collections.nCopies(clusters, 1.0 / clusters), histogram, 0.99, 1, List.of(0f))),
                        none.foreign()));
    }

    /** Counts as a model gives them: every token selects distinct experts. */
    public static ExpertCounts wholeCounts(long seed, int tokens) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] cells = new int[GEOMETRY.cells()];
        for (int layer = 0; layer < GEOMETRY.layers(); layer++) {
            for (int token = 0; token < tokens; token++) {
                int first = random.nextInt(GEOMETRY.experts());
                for (int i = 0; i < GEOMETRY.topK(); i++) {
                    cells[layer * GEOMETRY.experts() + (first + i) % GEOMETRY.experts()]++;
                }
            }
        }
        return ExpertCounts.of(GEOMETRY.layers(), GEOMETRY.experts(), cells);
    }

    /** Counts of so many tokens: every layer sums to tokens x k. */
    public static ExpertCounts counts(long seed, int tokens) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] cells = new int[GEOMETRY.cells()];
        for (int layer = 0; layer < GEOMETRY.layers(); layer++) {
            for (int i = 0; i < tokens * GEOMETRY.topK(); i++) {
                int expert = (int) (Math.pow(random.nextDouble(), 3) * GEOMETRY.experts() + seed) % GEOMETRY.experts();
                cells[layer * GEOMETRY.experts() + expert]++;
            }
        }
        return ExpertCounts.of(GEOMETRY.layers(), GEOMETRY.experts(), cells);
    }
}
