package io.eldr.calibration.cluster;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.db.sample.SampleStore;
import io.eldr.db.sample.Selection;
import io.eldr.db.sample.StoredSample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which clusters a pool's newest samples fall into, and with which labels. */
final class SampledClusters {
    private static final int SHOWN_LABELS = 20;

    private final RoutingArtifact artifact;
    private final int[] counts;
    private final List<Map<String, Integer>> labels = new ArrayList<>();
    private int all;

    private SampledClusters(RoutingArtifact artifact) {
        this.artifact = artifact;
        this.counts = new int[artifact.clusters()];
        for (int cluster = 0; cluster < counts.length; cluster++) {
            labels.add(new HashMap<>());
        }
    }

    static SampledClusters of(RoutingArtifact artifact, SampleStore samples, long poolId, int limit) {
        SampledClusters clusters = new SampledClusters(artifact);
        samples.forEachNewest(poolId, Selection.ALL, limit, clusters::add);
        return clusters;
    }

    private void add(StoredSample sample) {
        // A pool's geometry may have changed since.
        boolean fits = sample.prefill().layers() == artifact.spec().layers()
                && sample.prefill().experts() == artifact.spec().experts();
        if (!fits) {
            return;
        }
        double[] similarities =
                artifact.centroids().similarities(artifact.spec().signatureOf(sample.prefill()));
        int nearest = 0;
        for (int cluster = 1; cluster < similarities.length; cluster++) {
            if (similarities[cluster] > similarities[nearest]) {
                nearest = cluster;
            }
        }
        if (similarities[nearest] > 0) {
            all++;
            counts[nearest]++;
            Map<String, Integer> mix = labels.get(nearest);
            sample.label().ifPresent(label -> mix.merge(label, 1, Integer::sum));
        }
    }

    /** How many samples were counted. */
    int all() {
        return all;
    }

    int count(int cluster) {
        return counts[cluster];
    }

    /** Most frequent first; of equally frequent ones the first by name. */
    Map<String, Integer> labels(int cluster) {
        Map<String, Integer> sorted = new LinkedHashMap<>();
        labels.get(cluster).entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(SHOWN_LABELS)
                .forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
        return sorted;
    }
}
