package io.eldr.core.signature;

import io.eldr.core.vector.VectorMath;
import java.util.Arrays;
import java.util.Objects;

/**
 * How many of a text's tokens selected each expert in each layer: an immutable [L,E] matrix of non-negative integers,
 * layer-major. In method terms {@code c_r[l,e]} for a prompt and {@code p_r[l,e]} for decoded tokens.
 */
public final class ExpertCounts {
    private final int layers;
    private final int experts;
    private final int[] cells;

    private ExpertCounts(int layers, int experts, int[] cells) {
        this.layers = layers;
        this.experts = experts;
        this.cells = cells;
    }

    /**
     * Counts of the given shape.
     *
     * @param cells L*E values, layer-major; copied
     * @throws InvalidInputException if there are not L*E cells or one is negative
     */
    public static ExpertCounts of(int layers, int experts, int[] cells) {
        return adopt(layers, experts, cells.clone());
    }

    /** Like {@link #of} for an array that nobody else holds. */
    static ExpertCounts adopt(int layers, int experts, int[] cells) {
        if (cells.length != layers * experts) {
            throw new InvalidInputException(
                    "counts",
                    "must hold " + layers + " x " + experts + " = " + layers * experts + " cells but holds "
                            + cells.length);
        }
        requireNotNegative(experts, cells);
        return new ExpertCounts(layers, experts, cells);
    }

    private static void requireNotNegative(int experts, int[] cells) {
        // A loop without a way out is one that the compiler makes vectors of.
        int signs = 0;
        for (int cell : cells) {
            signs |= cell;
        }
        for (int i = 0; signs < 0 && i < cells.length; i++) {
            if (cells[i] < 0) {
                throw new InvalidInputException(
                        "counts", "is negative (" + cells[i] + ") at layer " + i / experts + ", expert " + i % experts);
            }
        }
    }

    public static ExpertCounts zero(int layers, int experts) {
        return new ExpertCounts(layers, experts, new int[layers * experts]);
    }

    public int layers() {
        return layers;
    }

    public int experts() {
        return experts;
    }

    public int size() {
        return cells.length;
    }

    /** The count in cell {@code layer * E + expert}. */
    public int cell(int index) {
        return cells[index];
    }

    public int count(int layer, int expert) {
        return cells[layer * experts + expert];
    }

    /** The sum over a layer's experts; tokens x k where the counts are whole. */
    public long layerSum(int layer) {
        long sum = 0;
        for (int i = layer * experts; i < (layer + 1) * experts; i++) {
            sum += cells[i];
        }
        return sum;
    }

    public boolean isZero() {
        for (int cell : cells) {
            if (cell != 0) {
                return false;
            }
        }
        return true;
    }

    public boolean hasShapeOf(Geometry geometry) {
        return layers == geometry.layers() && experts == geometry.experts();
    }

    /**
     * Adds the dot products of some cells with each row of a matrix of whole numbers to {@code sums}, as {@link
     * VectorMath#addCountDots} does.
     *
     * @param from the first cell; it meets column {@code matrixFrom}
     * @param cap what a larger count is taken for
     */
    public void addDots(int from, int length, int cap, short[] matrix, int matrixFrom, int stride, double[] sums) {
        VectorMath.addCountDots(cells, from, length, cap, matrix, matrixFrom, stride, sums);
    }

    /**
     * The squared length of some cells after weighting.
     *
     * @param from the first cell; its weight is {@code weights[weightsFrom]}
     * @param cap what a larger count is taken for
     */
    public double weightedSquares(int from, int length, int cap, float[] weights, int weightsFrom) {
        return VectorMath.weightedSquares(cells, from, length, cap, weights, weightsFrom);
    }

    /**
     * Adds some cells times a factor to values, none of which becomes more than {@code most}.
     *
     * @param from the first cell; it is added to {@code values[at]}
     */
    public void addScaled(int from, int length, float factor, float most, float[] values, int at) {
        Objects.checkFromIndexSize(from, length, cells.length);
        Objects.checkFromIndexSize(at, length, values.length);
        for (int i = 0; i < length; i++) {
            values[at + i] = Math.min(most, values[at + i] + factor * cells[from + i]);
        }
    }

    /** A copy of the cells, layer-major. */
    public int[] toArray() {
        return cells.clone();
    }

    /**
     * Checks that every layer counts exactly {@code tokens} tokens, none of which selects an expert twice.
     *
     * @param field the name to give to what was refused
     * @throws InvalidInputException naming the first layer whose sum is not tokens x k, or which counts an expert more
     *     often than there are tokens
     */
    public ExpertCounts requireRowSums(String field, long tokens, int topK) {
        for (int layer = 0; layer < layers; layer++) {
            long sum = layerSum(layer);
            if (sum != tokens * topK) {
                throw new InvalidInputException(
                        field,
                        "layer " + layer + " sums to " + sum + " instead of " + tokens + " tokens x " + topK + " = "
                                + tokens * topK);
            }
            requireAtMost(field, layer, tokens);
        }
        return this;
    }

    private void requireAtMost(String field, int layer, long tokens) {
        for (int expert = 0; expert < experts; expert++) {
            if (count(layer, expert) > tokens) {
                throw new InvalidInputException(
                        field,
                        "layer " + layer + ": expert " + expert + " counts " + count(layer, expert) + " of " + tokens
                                + " tokens");
            }
        }
    }

    /** @throws InvalidInputException if the shape is not the geometry's */
    public ExpertCounts requireShape(String field, Geometry geometry) {
        if (!hasShapeOf(geometry)) {
            throw new InvalidInputException(
                    field,
                    "has shape [" + layers + ", " + experts + "] but the model has [" + geometry.layers() + ", "
                            + geometry.experts() + "]");
        }
        return this;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ExpertCounts that
                && layers == that.layers
                && experts == that.experts
                && Arrays.equals(cells, that.cells);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(cells);
    }

    @Override
    public String toString() {
        return "ExpertCounts[" + layers + ", " + experts + "]";
    }
}
