package io.eldr.core.drift;

import io.eldr.core.artifact.HeldOutStatistics;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.routing.FoldedCentroids;
import io.eldr.core.signature.ExpertCounts;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/** Requests as an artifact's centroids see them: which is nearest, and how near. */
final class Traffic {
    private final RoutingArtifact artifact;
    private final int[] nearest;
    private final double[] best;

    private Traffic(RoutingArtifact artifact, int[] nearest, double[] best) {
        this.artifact = artifact;
        this.nearest = nearest;
        this.best = best;
    }

    static Traffic of(RoutingArtifact artifact, List<ExpertCounts> requests) {
        FoldedCentroids centroids = FoldedCentroids.of(artifact);
        int[] nearest = new int[requests.size()];
        double[] best = new double[requests.size()];
        double[] similarities = new double[artifact.clusters()];
        for (int r = 0; r < best.length; r++) {
            centroids.similarities(requests.get(r), similarities);
            for (int k = 1; k < similarities.length; k++) {
                nearest[r] = similarities[k] > similarities[nearest[r]] ? k : nearest[r];
            }
            best[r] = similarities[nearest[r]];
        }
        return new Traffic(artifact, nearest, best);
    }

    /** A window of so many different requests drawn from these. */
    ObservationWindow window(int requests, RandomGenerator random) {
        if (requests > best.length) {
            throw new IllegalArgumentException("there are " + best.length + " requests only");
        }
        long[] counts = new long[artifact.clusters()];
        long[] bins = new long
                [artifact.evidence()
                        .heldOut()
                        .orElseThrow()
                        .similarityHistogram()
                        .size()];
        double sum = 0;
        for (int i = 0; i < requests; i++) {
            int drawn = random.nextInt(i, best.length);
            swap(i, drawn);
            counts[nearest[i]]++;
            bins[HeldOutStatistics.similarityBin(best[i], bins.length)]++;
            sum += best[i];
        }
        return new ObservationWindow(
                requests,
                0,
                LongStream.of(counts).boxed().toList(),
                LongStream.of(bins).boxed().toList(),
                sum,
                0,
                0);
    }

    private void swap(int i, int j) {
        int otherNearest = nearest[i];
        nearest[i] = nearest[j];
        nearest[j] = otherNearest;
        double otherBest = best[i];
        best[i] = best[j];
        best[j] = otherBest;
    }
}
