package io.eldr.core.load;

import io.eldr.core.signature.InvalidInputException;
import java.util.Arrays;

/**
 * What a request is expected to use while it is decoded, as small as its reservation has to carry it: for each expert of
 * each layer the probability that a decode token selects it, in 16 levels of 4 bits ({@code 48 x 128} experts would make 3 KiB),
 * and the tokens of its context. Immutable; requests for which one pattern stands may share it.
 */
public final class PredictedUse {
    private final int cells;
    private final int contextTokens;
    private final boolean shared;
    /** The level of cell i in the low half of byte i, that of cell {@code i + ceil(cells / 2)} in the high half. */
    private final byte[] levels;

    private PredictedUse(int cells, int contextTokens, boolean shared, byte[] levels) {
        this.cells = cells;
        this.contextTokens = contextTokens;
        this.shared = shared;
        this.levels = levels;
    }

    /**
     * @param probabilities q, L*E values from 0 to 1
     * @param contextTokens of its prompt, 0 or more
     */
    public static PredictedUse of(float[] probabilities, int contextTokens) {
        int half = half(probabilities.length);
        byte[] levels = new byte[half];
        for (int i = 0; i < half; i++) {
            levels[i] = (byte) level(probabilities[i]);
        }
        for (int i = half; i < probabilities.length; i++) {
            int low = levels[i - half];
            levels[i - half] = (byte) (low | (level(probabilities[i]) << UseLevels.BITS));
        }
        return new PredictedUse(probabilities.length, contextTokens, false, levels);
    }

    private static int level(float probability) {
        if (!(probability >= 0 && probability <= 1)) {
            throw new InvalidInputException("use", "must lie between 0 and 1 but has " + probability);
        }
        return UseLevels.of(probability);
    }

    /** The same levels for another request, without a copy of them. */
    public PredictedUse sharedBy(int otherContextTokens) {
        return new PredictedUse(cells, otherContextTokens, true, levels);
    }

    /** L*E. */
    public int cells() {
        return cells;
    }

    public int contextTokens() {
        return contextTokens;
    }

    /** What it keeps in memory for itself alone. */
    public int ownBytes() {
        return shared ? 0 : levels.length;
    }

    /** The probability that is kept for a cell. */
    public double probability(int cell) {
        return -Math.expm1(-UseLevels.STEP * units(cell));
    }

    int units(int cell) {
        int half = half(cells);
        int level = cell < half ? levels[cell] & 0xF : (levels[cell - half] >> UseLevels.BITS) & 0xF;
        return UseLevels.units(level);
    }

    /** Adds the units of each cell to the sums. */
    void addTo(int[] sums) {
        int half = half(cells);
        int rest = cells - half;
        for (int i = 0; i < rest; i++) {
            int two = levels[i];
            sums[i] += UseLevels.units(two & 0xF);
            sums[half + i] += UseLevels.units((two >> UseLevels.BITS) & 0xF);
        }
        for (int i = rest; i < half; i++) {
            sums[i] += UseLevels.units(levels[i] & 0xF);
        }
    }

    /** Takes out of the sums what {@link #addTo} put in. */
    void takeFrom(int[] sums) {
        int half = half(cells);
        int rest = cells - half;
        for (int i = 0; i < rest; i++) {
            int two = levels[i];
            sums[i] -= UseLevels.units(two & 0xF);
            sums[half + i] -= UseLevels.units((two >> UseLevels.BITS) & 0xF);
        }
        for (int i = rest; i < half; i++) {
            sums[i] -= UseLevels.units(levels[i] & 0xF);
        }
    }

    private static int half(int cells) {
        return (cells + 1) / 2;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PredictedUse that
                && cells == that.cells
                && contextTokens == that.contextTokens
                && Arrays.equals(levels, that.levels);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(levels) + contextTokens;
    }

    @Override
    public String toString() {
        return "PredictedUse[" + cells + " cells, " + contextTokens + " tokens]";
    }
}
