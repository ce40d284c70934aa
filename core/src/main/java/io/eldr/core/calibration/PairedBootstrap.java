package io.eldr.core.calibration;

import io.eldr.core.vector.Parallel;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.DoubleBinaryOperator;

/**
 * The 95 % percentile interval of a figure made of two means over the same requests: requests are drawn with replacement,
 * and each takes its value in both means along.
 */
final class PairedBootstrap {
    private static final int REPLICATES = 1_000;
    private static final double TAIL = 0.025;

    private final long seed;
    private final Parallel parallel;

    PairedBootstrap(long seed, Parallel parallel) {
        this.seed = seed;
        this.parallel = parallel;
    }

    /** From the 2.5th to the 97.5th percentile. */
    record Interval(double low, double high) {
        boolean contains(double value) {
            return low <= value && value <= high;
        }
    }

    /**
     * @param first of some requests
     * @param second of the same requests
     * @param figure of the two means
     */
    Interval of(RequestValues first, RequestValues second, DoubleBinaryOperator figure) {
        double[] figures = new double[REPLICATES];
        parallel.forEach(REPLICATES, (lane, replicate) -> {
            SplittableRandom random = new SplittableRandom(Seeds.mix(seed, replicate));
            RequestValues.Mean firstMean = new RequestValues.Mean();
            RequestValues.Mean secondMean = new RequestValues.Mean();
            for (int i = 0; i < first.requests(); i++) {
                int request = random.nextInt(first.requests());
                firstMean.add(first.of(request));
                secondMean.add(second.of(request));
            }
            figures[replicate] = figure.applyAsDouble(firstMean.value(), secondMean.value());
        });
        double[] sorted = Arrays.stream(figures)
                .filter(value -> !Double.isNaN(value))
                .sorted()
                .toArray();
        return sorted.length == 0
                ? new Interval(Double.NaN, Double.NaN)
                : new Interval(
                        sorted[(int) Math.floor(TAIL * (sorted.length - 1))],
                        sorted[(int) Math.ceil((1 - TAIL) * (sorted.length - 1))]);
    }
}
