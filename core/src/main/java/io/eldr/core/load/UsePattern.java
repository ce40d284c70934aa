package io.eldr.core.load;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What a request of unknown content is expected to use on a decoder, such as one that another router sent there: the mean
 * of {@code -ln(1-q)} over the requests of the decoder's cluster, or over those that others told of, for each expert of each
 * layer. Immutable.
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

    /**
     * The mean of what requests with a prediction of their own use, of several counts of one decoder: what routers that tell
     * each other would say of the requests of all but one.
     *
     * @return empty if there is no such request, or the counts are of different models
     */
    public static Optional<UsePattern> meanOf(List<DecoderUse> uses) {
        long[] sums = {};
        long requests = 0;
        for (DecoderUse use : uses) {
            int[] units = use.units();
            if (use.requests() > 0) {
                if (sums.length == 0) {
                    sums = new long[units.length];
                }
                if (units.length != sums.length) {
                    return Optional.empty();
                }
                for (int i = 0; i < sums.length; i++) {
                    sums[i] += units[i];
                }
                requests += use.requests();
            }
        }
        if (requests == 0) {
            return Optional.empty();
        }
        int[] parts = new int[sums.length];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = (int) Math.round((double) sums[i] * PARTS / requests);
        }
        return Optional.of(new UsePattern(parts));
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
