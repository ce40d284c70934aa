package io.eldr.core.routing;

import io.eldr.core.load.PredictedUse;
import io.eldr.core.vector.VectorMath;

/**
 * What a request is expected to use while it is decoded, as a decision reads it. Made once for a request, however often it
 * is decided; what its reservation carries is made of it only when it gets one.
 */
public final class UsePrediction {
    private final float[] probabilities;
    private final double total;
    private final PredictedUse likely;
    private final int contextTokens;

    /** Adopts the array. */
    private UsePrediction(float[] probabilities, double total, PredictedUse likely, int contextTokens) {
        this.probabilities = probabilities;
        this.total = total;
        this.likely = likely;
        this.contextTokens = contextTokens;
    }

    /** Adopts the array. */
    static UsePrediction of(float[] probabilities, PredictedUse shared, int contextTokens) {
        return new UsePrediction(
                probabilities, VectorMath.quickSum(probabilities), shared.sharedBy(contextTokens), contextTokens);
    }

    /** E for each layer that is judged. */
    public int cells() {
        return probabilities.length;
    }

    /** q of a cell. */
    public double probability(int cell) {
        return probabilities[cell];
    }

    /** The sum of q: the experts that a step of this request alone would load. */
    public double total() {
        return total;
    }

    public int contextTokens() {
        return contextTokens;
    }

    /** For a reservation that keeps all of it. */
    public PredictedUse own() {
        return PredictedUse.of(probabilities, contextTokens);
    }

    /** For one that may keep nothing for itself: the pattern of the most similar calibration requests. */
    public PredictedUse shared() {
        return likely;
    }

    /** Not to be changed. */
    float[] probabilities() {
        return probabilities;
    }
}
