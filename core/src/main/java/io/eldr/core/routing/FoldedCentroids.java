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
 * <p>{@code W_k} is kept as whole numbers of 16 bits times a step of its own, {@code max |W_k| / 32767}: half of what
 * float32 would have to be read for each decision, which is what a decision among hundreds of decoders waits for
 * (docs/adr/0012). Products with counts are exact; a similarity is off by less than {@code 10^-5} in general, as rounding
 * errors of thousands of cells cancel.
 */
public final class FoldedCentroids {
    private final int layers;
    private final int experts;
    private final int clusters;
    private final int dimensions;
    /** What a larger count is taken for. */
    private final int cap;
    /** The masked cells as ranges without gaps: [i] begins at this cell... */
    private final int[] rangeStarts;
    /** ...and is so long. */
    private final int[] rangeLengths;
    /** [D]. */
    private final float[] weights;
    /** [K, D]. */
    private final short[] folded;
    /** [K]: what one unit of a cluster's folded values is worth. */
    private final double[] steps;

    private FoldedCentroids(SignatureSpec spec, Centroids centroids) {
        layers = spec.layers();
        experts = spec.experts();
        clusters = centroids.count();
        dimensions = spec.dimensions();
        cap = spec.representation() == Representation.BINARY ? 1 : Integer.MAX_VALUE;
        weights = new float[dimensions];
        for (int d = 0; d < dimensions; d++) {
            weights[d] = spec.idf().isPresent() ? spec.idf().get().cell(spec.cellOf(d)) : 1;
        }
        folded = new short[clusters * dimensions];
        steps = new double[clusters];
        for (int k = 0; k < clusters; k++) {
            fold(centroids, k);
        }
        int[] layersOfRanges = spec.mask().toArray();
        int[] starts = new int[layersOfRanges.length];
        int[] lengths = new int[layersOfRanges.length];
        int ranges = 0;
        for (int layer : layersOfRanges) {
            int start = layer * experts;
            if (ranges > 0 && starts[ranges - 1] + lengths[ranges - 1] == start) {
                lengths[ranges - 1] += experts;
            } else {
                starts[ranges] = start;
                lengths[ranges++] = experts;
            }
        }
        rangeStarts = Arrays.copyOf(starts, ranges);
        rangeLengths = Arrays.copyOf(lengths, ranges);
    }

    public static FoldedCentroids of(RoutingArtifact artifact) {
        return new FoldedCentroids(artifact.spec(), artifact.centroids());
    }

    static FoldedCentroids of(SignatureSpec spec, Centroids centroids) {
        return new FoldedCentroids(spec, centroids);
    }

    private void fold(Centroids centroids, int k) {
        double largest = 0;
        for (int d = 0; d < dimensions; d++) {
            largest = Math.max(largest, Math.abs((double) weights[d] * centroids.value(k, d)));
        }
        steps[k] = largest / Short.MAX_VALUE;
        if (largest > 0) {
            for (int d = 0; d < dimensions; d++) {
                double value = (double) weights[d] * centroids.value(k, d);
                folded[k * dimensions + d] = (short) Math.round(value / largest * Short.MAX_VALUE);
            }
        }
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
        Arrays.fill(similarities, 0);
        double square = 0;
        for (int i = 0, d = 0; i < rangeStarts.length; d += rangeLengths[i++]) {
            square += counts.weightedSquares(rangeStarts[i], rangeLengths[i], cap, weights, d);
        }
        double norm = Math.sqrt(square);
        if (!(norm > SignatureSpec.MIN_NORM)) {
            return false;
        }
        for (int i = 0, d = 0; i < rangeStarts.length; d += rangeLengths[i++]) {
            counts.addDots(rangeStarts[i], rangeLengths[i], cap, folded, d, dimensions, similarities);
        }
        for (int k = 0; k < clusters; k++) {
            similarities[k] = similarities[k] * steps[k] / norm;
        }
        return true;
    }
}
