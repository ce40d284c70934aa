package io.eldr.simulator.study;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The mean of a figure over seeds with its 95 % confidence interval by Student's t.
 *
 * @param low empty where there is one seed only
 * @param high empty where there is one seed only
 */
public record Interval(double mean, OptionalDouble low, OptionalDouble high) {
    /** t for 95 %, two-sided, by degrees of freedom from 1 on; further ones take the last. */
    private static final double[] T = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
        2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042
    };

    /** @param values one for each seed, at least one */
    public static Interval of(List<Double> values) {
        int n = values.size();
        double mean = values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        if (n == 1) {
            return new Interval(mean, OptionalDouble.empty(), OptionalDouble.empty());
        }
        double squares = values.stream()
                .mapToDouble(value -> (value - mean) * (value - mean))
                .sum();
        double half = T[Math.min(n - 1, T.length) - 1] * Math.sqrt(squares / (n - 1) / n);
        return new Interval(mean, OptionalDouble.of(mean - half), OptionalDouble.of(mean + half));
    }
}
