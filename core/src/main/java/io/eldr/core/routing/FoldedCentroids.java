package io.eldr.core.routing;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.clustering.Centroids;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Representation;
import io.eldr.core.signature.SignatureSpec;
import java.util.Arrays;

/**
 * An artifact's centroids with its mask and IDF folded in, so that similarities come straight from raw counts:
 * {@code s_k = sum(W_k * c) / |w * c|} with {@code W_k = w * mu_k} over the masked cells (for {@code binary}, c is first
 * clipped to 1). Equal to normalising a signature and taking its cosine to each centroid, without making the signature.
 * Everything that a decision takes from an artifact is in here, so two versions cannot be mixed.
 *
 * <p>Shape [K, D], centroid-major, float32; sums are taken in float64.
 */
public final class FoldedCentroids {
    private final int layers;
    private final int experts;
    private final int clusters;
    private final boolean binary;
    private final int[] mask;
    /** Empty where every weight is 1. */
    private final float[] weights;

    private final float[] folded;

    private FoldedCentroids(SignatureSpec spec, Centroids centroids) {
        layers = spec.layers();
        experts = spec.experts();
        clusters = centroids.count();
        binary = spec.representation() == Representation.BINARY;
        mask = spec.mask().toArray();
        int dimensions = spec.dimensions();
        weights = new float[spec.idf().isPresent() ? dimensions : 0];
        folded = centroids.toArray();
        for (int d = 0; d < weights.length; d++) {
            weights[d] = spec.idf().orElseThrow().cell(spec.cellOf(d));
            for (int k = 0; k < clusters; k++) {
                folded[k * dimensions + d] *= weights[d];
            }
        }
    }

    public static FoldedCentroids of(RoutingArtifact artifact) {
        return new FoldedCentroids(artifact.spec(), artifact.centroids());
    }

    /** K. */
    public int clusters() {
        return clusters;
    }

    /** Whether counts have the shape [L,E] of the artifact's model. */
    public boolean accepts(ExpertCounts counts) {
        return counts.layers() == layers && counts.experts() == experts;
    }

    /**
     * The similarity of a request to each cluster; all 0 where the masked counts say nothing.
     *
     * @param counts the raw counts of its prompt, of shape [L,E]
     * @param similarities K values, overwritten
     * @return whether the counts make a signature that is not zero
     */
    public boolean similarities(ExpertCounts counts, double[] similarities) {
        if (!accepts(counts) || similarities.length != clusters) {
            throw new IllegalArgumentException(counts + " into " + similarities.length + " similarities instead of ["
                    + layers + ", " + experts + "] into " + clusters);
        }
        double norm = Math.sqrt(squaredNorm(counts));
        if (!(norm > SignatureSpec.MIN_NORM)) {
            Arrays.fill(similarities, 0);
            return false;
        }
        int k = 0;
        for (; k + 4 <= clusters; k += 4) {
            fourDots(counts, k, similarities);
        }
        for (; k < clusters; k++) {
            similarities[k] = dot(counts, k);
        }
        for (k = 0; k < clusters; k++) {
            similarities[k] /= norm;
        }
        return true;
    }

    private double squaredNorm(ExpertCounts counts) {
        double sum = 0;
        for (int i = 0, d = 0; i < mask.length; i++) {
            int base = mask[i] * experts;
            for (int e = 0; e < experts; e++, d++) {
                double x = term(counts, base + e);
                if (weights.length > 0) {
                    x *= weights[d];
                }
                sum += x * x;
            }
        }
        return sum;
    }

    private double dot(ExpertCounts counts, int cluster) {
        double sum = 0;
        for (int i = 0, w = cluster * mask.length * experts; i < mask.length; i++) {
            int base = mask[i] * experts;
            for (int e = 0; e < experts; e++, w++) {
                sum += term(counts, base + e) * folded[w];
            }
        }
        return sum;
    }

    /** Four clusters at once, so that each count is read once for four and the sums do not wait for one another. */
    private void fourDots(ExpertCounts counts, int cluster, double[] sums) {
        int dimensions = mask.length * experts;
        double sum0 = 0;
        double sum1 = 0;
        double sum2 = 0;
        double sum3 = 0;
        for (int i = 0, w = cluster * dimensions; i < mask.length; i++) {
            int base = mask[i] * experts;
            for (int e = 0; e < experts; e++, w++) {
                double c = term(counts, base + e);
                sum0 += c * folded[w];
                sum1 += c * folded[w + dimensions];
                sum2 += c * folded[w + 2 * dimensions];
                sum3 += c * folded[w + 3 * dimensions];
            }
        }
        sums[cluster] = sum0;
        sums[cluster + 1] = sum1;
        sums[cluster + 2] = sum2;
        sums[cluster + 3] = sum3;
    }

    private double term(ExpertCounts counts, int cell) {
        int count = counts.cell(cell);
        return binary ? Math.min(count, 1) : count;
    }
}
