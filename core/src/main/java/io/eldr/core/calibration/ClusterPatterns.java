package io.eldr.core.calibration;

import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.clustering.Centroids;
import io.eldr.core.placement.DecodePatterns;
import io.eldr.core.placement.PatternBasis;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.SignatureSpec;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Parallel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Makes the mean decode pattern of each cluster from its requests, every request counting the same: the decode counts of
 * those that have them; the prompts' where none has; all requests' where the cluster has none.
 */
final class ClusterPatterns {
    private ClusterPatterns() {}

    /** Of the samples that something was chosen by, not those that judge. Absent where it would be too large to keep. */
    static Optional<DecodePatterns> of(
            SignatureSpec spec, Centroids centroids, SampleSplit split, ModelIdentity model, Parallel parallel) {
        List<RequestSample> samples = new ArrayList<>(split.fit());
        if (!split.select().equals(split.fit())) {
            samples.addAll(split.select());
        }
        return of(model.geometry(), Grouping.by(spec, centroids, samples, parallel), samples, parallel);
    }

    /** Absent where they would be too large to keep. */
    static Optional<DecodePatterns> of(
            Geometry geometry, Grouping grouping, List<RequestSample> samples, Parallel parallel) {
        int clusters = grouping.groups();
        int cells = geometry.cells();
        if (!DecodePatterns.fits(clusters, geometry.layers(), geometry.experts())) {
            return Optional.empty();
        }
        PatternBasis[] bases = new PatternBasis[clusters];
        double[] probabilities = new double[clusters * cells];
        parallel.forEach(clusters, (lane, k) -> {
            List<RequestSample> members = IntStream.range(0, samples.size())
                    .filter(r -> grouping.groupOf(r) == k)
                    .mapToObj(samples::get)
                    .toList();
            bases[k] = members.isEmpty() ? PatternBasis.POOL : basisOf(members);
            List<RequestSample> source = members.isEmpty() ? samples : members;
            addMean(countsOf(source), geometry, probabilities, k * cells);
        });
        return Optional.of(DecodePatterns.of(geometry.layers(), geometry.experts(), List.of(bases), probabilities));
    }

    private static PatternBasis basisOf(List<RequestSample> samples) {
        return samples.stream().anyMatch(sample -> sample.decode().isPresent())
                ? PatternBasis.DECODE
                : PatternBasis.PROMPT;
    }

    private static List<ExpertCounts> countsOf(List<RequestSample> samples) {
        return basisOf(samples) == PatternBasis.DECODE
                ? samples.stream().flatMap(sample -> sample.decode().stream()).toList()
                : samples.stream().map(RequestSample::prefill).toList();
    }

    /** A layer's counts c make the pattern {@code k c / sum(c)}, at most 1. */
    private static void addMean(List<ExpertCounts> requests, Geometry geometry, double[] sums, int offset) {
        for (ExpertCounts counts : requests) {
            for (int layer = 0; layer < geometry.layers(); layer++) {
                double perCount = (double) geometry.topK() / Math.max(1, counts.layerSum(layer));
                int base = layer * geometry.experts();
                for (int e = 0; e < geometry.experts(); e++) {
                    sums[offset + base + e] += Math.min(1, counts.cell(base + e) * perCount);
                }
            }
        }
        for (int cell = 0; cell < geometry.cells(); cell++) {
            sums[offset + cell] = Math.min(1, sums[offset + cell] / requests.size());
        }
    }
}
