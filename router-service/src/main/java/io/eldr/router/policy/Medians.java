package io.eldr.router.policy;

import java.util.Arrays;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Medians of windows with their uncertainty. */
final class Medians {
    /** So many resamples make the bounds of a 95 % interval steady to a few percent of its width. */
    private static final int RESAMPLES = 2_000;

    /** With fewer windows a resample says nothing. */
    private static final int FEWEST = 3;

    private static final double TAIL = 0.025;

    private Medians() {}

    /** An interval that holds the true value 95 times of 100. */
    record Interval(double low, double high) {}

    /** Of at least one value, which are put in order. */
    static double median(double[] values) {
        Arrays.sort(values);
        int middle = values.length / 2;
        return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    }

    /** The percentile bootstrap of the median over windows; empty for fewer than three. */
    static Optional<Interval> interval(double[] windows, RandomGenerator random) {
        if (windows.length < FEWEST) {
            return Optional.empty();
        }
        double[] medians = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            medians[i] = resampled(windows, random);
        }
        return Optional.of(middle(medians));
    }

    /** The same of how far the second's median lies above the first's, as a share of the first's. */
    static Optional<Interval> interval(double[] first, double[] second, RandomGenerator random) {
        if (first.length < FEWEST || second.length < FEWEST) {
            return Optional.empty();
        }
        double[] changes = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            changes[i] = change(resampled(first, random), resampled(second, random));
        }
        return Optional.of(middle(changes));
    }

    static double change(double from, double to) {
        return (to - from) / from;
    }

    private static double resampled(double[] windows, RandomGenerator random) {
        double[] drawn = new double[windows.length];
        for (int i = 0; i < drawn.length; i++) {
            drawn[i] = windows[random.nextInt(windows.length)];
        }
        return median(drawn);
    }

    private static Interval middle(double[] values) {
        Arrays.sort(values);
        int cut = (int) (values.length * TAIL);
        return new Interval(values[cut], values[values.length - 1 - cut]);
    }
}
