package io.eldr.core.placement;

import io.eldr.core.signature.InvalidInputException;
import java.util.Arrays;
import java.util.List;

/**
 * The mean decode pattern of each cluster: the probability {@code p[k,l,e]} that a decode token of one of its requests
 * selects expert e in layer l; every layer sums to about top-k. Shape [K,L,E]. Kept in steps of 1/65,535, 2 bytes a value.
 */
public final class DecodePatterns {
    /** More are not kept: with 6 million (12 MB) an artifact is still quick to load. */
    public static final int MAX_CELLS = 6_000_000;

    private static final double STEPS = 65_535;

    private final int layers;
    private final int experts;
    private final List<PatternBasis> bases;
    /** Unsigned 16-bit numbers, cluster-major, then layer-major. */
    private final short[] steps;

    private DecodePatterns(int layers, int experts, List<PatternBasis> bases, short[] steps) {
        this.layers = layers;
        this.experts = experts;
        this.bases = bases;
        this.steps = steps;
    }

    /**
     * @param bases one for each cluster
     * @param probabilities K*L*E values from 0 to 1; rounded to the nearest step
     * @throws InvalidInputException naming {@code decodePatterns}
     */
    public static DecodePatterns of(int layers, int experts, List<PatternBasis> bases, double[] probabilities) {
        short[] steps = new short[probabilities.length];
        for (int i = 0; i < steps.length; i++) {
            if (!(probabilities[i] >= 0 && probabilities[i] <= 1)) {
                throw new InvalidInputException(
                        "decodePatterns", "must lie between 0 and 1 but has " + probabilities[i]);
            }
            steps[i] = (short) Math.round(probabilities[i] * STEPS);
        }
        return adopt(layers, experts, bases, steps);
    }

    /**
     * From what {@link #toSteps} gave.
     *
     * @throws InvalidInputException naming {@code decodePatterns} if the length does not fit
     */
    public static DecodePatterns ofSteps(int layers, int experts, List<PatternBasis> bases, short[] steps) {
        return adopt(layers, experts, bases, steps.clone());
    }

    private static DecodePatterns adopt(int layers, int experts, List<PatternBasis> bases, short[] steps) {
        if (!fits(bases.size(), layers, experts)) {
            throw new InvalidInputException("decodePatterns", "have more than " + MAX_CELLS + " cells");
        }
        if (bases.isEmpty() || steps.length != bases.size() * layers * experts) {
            throw new InvalidInputException(
                    "decodePatterns",
                    "must hold " + bases.size() + " x " + layers + " x " + experts + " values but hold "
                            + steps.length);
        }
        return new DecodePatterns(layers, experts, List.copyOf(bases), steps);
    }

    /** True if patterns of this shape are few enough to be kept. */
    public static boolean fits(int clusters, int layers, int experts) {
        return (long) clusters * layers * experts <= MAX_CELLS;
    }

    /** K. */
    public int clusters() {
        return bases.size();
    }

    /** L. */
    public int layers() {
        return layers;
    }

    /** E. */
    public int experts() {
        return experts;
    }

    /** What each cluster's pattern was made from. */
    public List<PatternBasis> bases() {
        return bases;
    }

    /** The probability that a decode token of the cluster selects the expert. */
    public double probability(int cluster, int layer, int expert) {
        return Short.toUnsignedInt(steps[(cluster * layers + layer) * experts + expert]) / STEPS;
    }

    /** The values in steps of 1/65,535, as unsigned 16-bit numbers [K,L,E]; a copy. */
    public short[] toSteps() {
        return steps.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DecodePatterns that
                && layers == that.layers
                && experts == that.experts
                && bases.equals(that.bases)
                && Arrays.equals(steps, that.steps);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(steps);
    }

    @Override
    public String toString() {
        return "DecodePatterns[" + clusters() + ", " + layers + ", " + experts + "]";
    }
}
