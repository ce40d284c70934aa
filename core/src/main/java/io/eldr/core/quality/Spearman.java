package io.eldr.core.quality;

import java.util.OptionalDouble;

/**
 * Spearman's rank correlation: Pearson's correlation of ranks, where ties share the average of their ranks. It is
 * undefined, and therefore absent, where one side is constant or has fewer than two values. NaN is refused with an {@link
 * IllegalArgumentException}.
 */
public final class Spearman {
    private Spearman() {}

    public static OptionalDouble correlation(double[] x, double[] y) {
        return correlation(Ranks.of(x), Ranks.of(y));
    }

    public static OptionalDouble correlation(float[] x, float[] y) {
        return correlation(Ranks.of(x), Ranks.of(y));
    }

    /** The ranks of the values, from 1, ties sharing their average. */
    public static double[] ranks(double[] values) {
        Ranks ranks = Ranks.of(values);
        double[] result = new double[values.length];
        for (int i = 0; i < result.length; i++) {
            result[i] = (ranks.centred(i) + values.length + 1) / 2.0;
        }
        return result;
    }

    private static OptionalDouble correlation(Ranks x, Ranks y) {
        if (x.count() != y.count()) {
            throw new IllegalArgumentException("lengths differ: " + x.count() + " and " + y.count());
        }
        double products = 0;
        for (int i = 0; i < x.count(); i++) {
            products += (double) x.centred(i) * y.centred(i);
        }
        double scale = Math.sqrt(x.squares() * y.squares());
        return scale == 0 ? OptionalDouble.empty() : OptionalDouble.of(products / scale);
    }
}
