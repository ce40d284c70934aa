package io.eldr.core.artifact;

import io.eldr.core.clustering.Centroids;
import io.eldr.core.placement.DecodePatterns;
import io.eldr.core.placement.PatternBasis;
import io.eldr.core.vector.VectorMath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * What sets the clusters of an artifact apart, for people who look at it: how far their centroids are from one another, and
 * which experts of which layers one uses more than the others do.
 *
 * <p>The use of an expert is what the artifact's decode patterns say: the probability that a decode token of the cluster
 * selects it. An artifact without them, as one imported from the authors' file, has only its centroids: there it is the
 * expert's share of the centroid's layer times top-k, so that both add up to about top-k a layer, and layers outside the
 * mask are not known.
 *
 * <p>A layer's contrast is the total variation distance between the cluster's shares of the layer's experts and those of
 * the mean of the other clusters, 0 (the same) to 1 (no expert in common); 0 where there is no other cluster.
 */
public final class ClusterContrast {
    private final RoutingArtifact artifact;
    private final Optional<DecodePatterns> patterns;
    private final int layers;
    private final int experts;
    /** The sum of use over clusters [L,E]. */
    private final double[] total;
    /** The place of a layer in the mask, -1 where it is not in it. */
    private final int[] places;

    private ClusterContrast(RoutingArtifact artifact) {
        this.artifact = artifact;
        this.patterns = artifact.evidence().decodePatterns();
        this.layers = artifact.spec().layers();
        this.experts = artifact.spec().experts();
        this.places = places(artifact);
        this.total = new double[layers * experts];
        for (int cluster = 0; cluster < artifact.clusters(); cluster++) {
            for (int layer = 0; layer < layers; layer++) {
                double[] use = use(cluster, layer);
                for (int expert = 0; expert < use.length; expert++) {
                    total[layer * experts + expert] += use[expert];
                }
            }
        }
    }

    public static ClusterContrast of(RoutingArtifact artifact) {
        return new ClusterContrast(artifact);
    }

    private static int[] places(RoutingArtifact artifact) {
        int[] places = new int[artifact.spec().layers()];
        Arrays.fill(places, -1);
        for (int i = 0; i < artifact.spec().mask().size(); i++) {
            places[artifact.spec().mask().layer(i)] = i;
        }
        return places;
    }

    /**
     * An expert that a cluster uses more than the others.
     *
     * @param use by the cluster
     * @param elsewhere the mean use by the other clusters
     */
    public record DistinctExpert(int layer, int expert, double use, double elsewhere) {
        double lead() {
            return use - elsewhere;
        }
    }

    /** What the cluster's use was made from; empty where it is the centroid. */
    public Optional<PatternBasis> basis(int cluster) {
        return patterns.map(kept -> kept.bases().get(cluster));
    }

    /** Whether anything is known of the layer. */
    public boolean knows(int layer) {
        return patterns.isPresent() || places[layer] >= 0;
    }

    /** The use of each expert of a layer by a cluster; all 0 for a layer of which nothing is known. */
    public double[] use(int cluster, int layer) {
        double[] use = new double[experts];
        if (patterns.isPresent()) {
            for (int expert = 0; expert < experts; expert++) {
                use[expert] = patterns.get().probability(cluster, layer, expert);
            }
            return use;
        }
        if (places[layer] < 0) {
            return use;
        }
        double sum = 0;
        for (int expert = 0; expert < experts; expert++) {
            // Centroids of counts have no negative values; imported ones may.
            use[expert] = Math.max(0, artifact.centroids().value(cluster, places[layer] * experts + expert));
            sum += use[expert];
        }
        double scale = sum > 0 ? artifact.model().geometry().topK() / sum : 0;
        for (int expert = 0; expert < experts; expert++) {
            use[expert] *= scale;
        }
        return use;
    }

    /** The mean use of each expert of a layer over all clusters. */
    public double[] meanUse(int layer) {
        double[] mean = new double[experts];
        for (int expert = 0; expert < experts; expert++) {
            mean[expert] = total[layer * experts + expert] / artifact.clusters();
        }
        return mean;
    }

    /** The contrast of each layer [L]. */
    public double[] layerContrasts(int cluster) {
        double[] contrasts = new double[layers];
        for (int layer = 0; layer < layers; layer++) {
            double[] own = use(cluster, layer);
            double[] others = elsewhere(layer, own);
            double ownSum = sum(own);
            double othersSum = sum(others);
            if (ownSum > 0 && othersSum > 0) {
                double distance = 0;
                for (int expert = 0; expert < experts; expert++) {
                    distance += Math.abs(own[expert] / ownSum - others[expert] / othersSum);
                }
                contrasts[layer] = distance / 2;
            }
        }
        return contrasts;
    }

    /**
     * The experts whose use by the cluster exceeds that by the others most, most first; of equal ones the first by layer
     * and number. Fewer where fewer exceed it.
     */
    public List<DistinctExpert> distinctExperts(int cluster, int most) {
        Comparator<DistinctExpert> leastFirst = Comparator.comparingDouble(DistinctExpert::lead)
                .thenComparing(Comparator.comparingInt((DistinctExpert e) -> e.layer() * experts + e.expert())
                        .reversed());
        PriorityQueue<DistinctExpert> kept = new PriorityQueue<>(leastFirst);
        for (int layer = 0; layer < layers; layer++) {
            double[] own = use(cluster, layer);
            double[] others = elsewhere(layer, own);
            for (int expert = 0; expert < experts; expert++) {
                if (own[expert] > others[expert]) {
                    kept.add(new DistinctExpert(layer, expert, own[expert], others[expert]));
                    if (kept.size() > most) {
                        kept.remove();
                    }
                }
            }
        }
        List<DistinctExpert> sorted = new ArrayList<>(kept);
        sorted.sort(leastFirst.reversed());
        return sorted;
    }

    /** One less the cosine similarity of each pair of centroids [K][K], 0 to 2. */
    public double[][] distances() {
        Centroids centroids = artifact.centroids();
        int count = centroids.count();
        int dimensions = centroids.dimensions();
        float[] values = centroids.toArray();
        double[][] distances = new double[count][count];
        for (int one = 0; one < count; one++) {
            for (int other = one + 1; other < count; other++) {
                double cosine = VectorMath.dot(values, one * dimensions, values, other * dimensions, dimensions);
                distances[one][other] = Math.max(0, 1 - cosine);
                distances[other][one] = distances[one][other];
            }
        }
        return distances;
    }

    /** The mean use by the clusters other than the one whose use is given. */
    private double[] elsewhere(int layer, double[] own) {
        int others = artifact.clusters() - 1;
        double[] mean = new double[experts];
        for (int expert = 0; expert < experts && others > 0; expert++) {
            mean[expert] = Math.max(0, total[layer * experts + expert] - own[expert]) / others;
        }
        return mean;
    }

    private static double sum(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum;
    }
}
