package io.eldr.core.load;

import java.util.Arrays;

/**
 * What a request of unknown content is expected to use on a decoder, such as one that another router sent there: the mean
 * of {@code -ln(1-q)} over the requests of the decoder's cluster, for each expert of each layer. Immutable.
 */
public final class UsePattern {
    /** A unit of {@link UseLevels} in so many parts, as means are small. */
    static final int PARTS = 64;

    private final int[] parts;

    private UsePattern(int[] parts) {
        this.parts = parts;
    }

    /** @param probabilities q, L*E values from 0 to 1 */
    public static UsePattern of(float[] probabilities) {
        int[] parts = new int[probabilities.length];
        double most = UseLevels.units(UseLevels.COUNT - 1);
        for (int i = 0; i < parts.length; i++) {
            double units = Math.min(most, -Math.log1p(-probabilities[i]) / UseLevels.STEP);
            parts[i] = (int) Math.round(units * PARTS);
        }
        return new UsePattern(parts);
    }

    int cells() {
        return parts.length;
    }

    /** In parts of a unit. */
    int parts(int cell) {
        return parts[cell];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof UsePattern that && Arrays.equals(parts, that.parts);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(parts);
    }
}
