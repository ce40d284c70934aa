package io.eldr.core.clustering;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.Signature;
import io.eldr.core.vector.VectorMath;
import java.util.Arrays;

/** K cluster centres: immutable float32 vectors of length 1, shape [K, D] with D the dimensions of a signature. */
public final class Centroids {
    /** How far a centroid's length may be from 1. */
    public static final double NORM_TOLERANCE = 1e-3;

    private final int count;
    private final int dimensions;
    private final float[] values;

    private Centroids(int count, int dimensions, float[] values) {
        this.count = count;
        this.dimensions = dimensions;
        this.values = values;
    }

    /**
     * @param values K*D values, centroid-major; copied
     * @throws InvalidInputException naming {@code centroids} if there are none, if their number does not fit, if a value
     *     is not finite or a length is not 1 within {@link #NORM_TOLERANCE}
     */
    public static Centroids of(int count, int dimensions, float[] values) {
        if (count < 1 || (long) count * dimensions != values.length) {
            throw new InvalidInputException(
                    "centroids",
                    "must hold " + count + " x " + dimensions + " values (at least one centroid) but holds "
                            + values.length);
        }
        for (int k = 0; k < count; k++) {
            double square = 0;
            for (int d = 0; d < dimensions; d++) {
                float value = values[k * dimensions + d];
                if (!Float.isFinite(value)) {
                    throw new InvalidInputException("centroids[" + k + "]", "holds " + value + " at dimension " + d);
                }
                square += (double) value * value;
            }
            double norm = Math.sqrt(square);
            if (Math.abs(norm - 1) > NORM_TOLERANCE) {
                throw new InvalidInputException("centroids[" + k + "]", "must have length 1 but has " + norm);
            }
        }
        return new Centroids(count, dimensions, values.clone());
    }

    /** K. */
    public int count() {
        return count;
    }

    /** D. */
    public int dimensions() {
        return dimensions;
    }

    public float value(int centroid, int dimension) {
        return values[centroid * dimensions + dimension];
    }

    /** The cosine similarity of a signature to a centroid, summed in float64; 0 for a zero signature. */
    public double similarity(int centroid, Signature signature) {
        return VectorMath.dot(values, centroid * dimensions, signature.toArray(), 0, dimensions);
    }

    /** The cosine similarity of a signature to each centroid, each the same as {@link #similarity}. */
    public double[] similarities(Signature signature) {
        double[] similarities = new double[count];
        VectorMath.dots(signature.toArray(), values, count, similarities, 0);
        return similarities;
    }

    /** A copy of the values, centroid-major. */
    public float[] toArray() {
        return values.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Centroids that && count == that.count && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return "Centroids[" + count + ", " + dimensions + "]";
    }
}
