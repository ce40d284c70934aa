package io.eldr.core.signature;

import java.util.Arrays;
import java.util.Collection;

/**
 * Inverse document frequencies of experts: {@code w(l,e) = ln((N+1)/(df(l,e)+1))} as float32, where {@code df} is the
 * number of calibration requests that selected expert e in layer l at least once (ELDR paper, section 4). Shape [L,E],
 * layer-major; an expert that every request touches weighs nothing.
 */
public final class IdfWeights {
    private final int layers;
    private final int experts;
    private final float[] weights;

    private IdfWeights(int layers, int experts, float[] weights) {
        this.layers = layers;
        this.experts = experts;
        this.weights = weights;
    }

    /**
     * @param weights L*E finite, non-negative values, layer-major; copied
     * @throws InvalidInputException naming {@code idf}
     */
    public static IdfWeights of(int layers, int experts, float[] weights) {
        if (weights.length != layers * experts) {
            throw new InvalidInputException(
                    "idf", "must hold " + layers * experts + " weights but holds " + weights.length);
        }
        for (float weight : weights) {
            if (!Float.isFinite(weight) || weight < 0) {
                throw new InvalidInputException("idf", "weights must be finite and not negative but one is " + weight);
            }
        }
        return new IdfWeights(layers, experts, weights.clone());
    }

    /**
     * @param requests the calibration requests, at least one, all of shape [L,E]
     */
    public static IdfWeights fit(int layers, int experts, Collection<ExpertCounts> requests) {
        int cells = layers * experts;
        int[] documentFrequency = new int[cells];
        for (ExpertCounts counts : requests) {
            for (int i = 0; i < cells; i++) {
                if (counts.cell(i) > 0) {
                    documentFrequency[i]++;
                }
            }
        }
        float[] weights = new float[cells];
        for (int i = 0; i < cells; i++) {
            weights[i] = (float) Math.log((requests.size() + 1.0) / (documentFrequency[i] + 1.0));
        }
        return new IdfWeights(layers, experts, weights);
    }

    /** The weight of cell {@code layer * E + expert}. */
    public float cell(int index) {
        return weights[index];
    }

    public int layers() {
        return layers;
    }

    public int experts() {
        return experts;
    }

    /** True if no expert tells requests apart, as where every prompt touches every expert. */
    public boolean isVoid() {
        for (float weight : weights) {
            if (weight != 0) {
                return false;
            }
        }
        return true;
    }

    /** A copy of the weights, layer-major. */
    public float[] toArray() {
        return weights.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IdfWeights that && Arrays.equals(weights, that.weights);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(weights);
    }
}
