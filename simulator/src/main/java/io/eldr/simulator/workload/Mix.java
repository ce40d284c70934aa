package io.eldr.simulator.workload;

import io.eldr.core.signature.InvalidInputException;
import java.util.Arrays;

/** How often the requests of each label come. */
public sealed interface Mix {
    /** What refusals carry as their field. */
    String FIELD = "mix";

    double MAX_EXPONENT = 4;

    /**
     * @param recorded how many recorded requests each label has, the most frequent first
     * @return weights in the same order; they need not add up to 1
     */
    double[] weights(int[] recorded);

    /** As often as they were recorded. */
    record Recorded() implements Mix {
        @Override
        public double[] weights(int[] recorded) {
            return Arrays.stream(recorded).asDoubleStream().toArray();
        }

        @Override
        public String toString() {
            return "recorded";
        }
    }

    /** All equally often. */
    record Uniform() implements Mix {
        @Override
        public double[] weights(int[] recorded) {
            double[] weights = new double[recorded.length];
            Arrays.fill(weights, 1);
            return weights;
        }

        @Override
        public String toString() {
            return "uniform";
        }
    }

    /**
     * The label of rank r as often as {@code r^-s}.
     *
     * @param exponent s, -4 to 4; below 0 the rarest come most often
     */
    record Zipf(double exponent) implements Mix {
        public Zipf {
            if (!(Math.abs(exponent) <= MAX_EXPONENT)) {
                throw new InvalidInputException(
                        FIELD, "zipf:s needs s between -" + MAX_EXPONENT + " and " + MAX_EXPONENT);
            }
        }

        @Override
        public double[] weights(int[] recorded) {
            double[] weights = new double[recorded.length];
            for (int rank = 0; rank < weights.length; rank++) {
                weights[rank] = Math.pow(rank + 1, -exponent);
            }
            return weights;
        }

        @Override
        public String toString() {
            return "zipf:" + exponent;
        }
    }

    /**
     * The two most frequent labels share this much evenly, the others the rest.
     *
     * @param share 0 to 1
     */
    record Top2(double share) implements Mix {
        public Top2 {
            if (!(share >= 0 && share <= 1)) {
                throw new InvalidInputException(FIELD, "top2:x needs x between 0 and 1");
            }
        }

        @Override
        public double[] weights(int[] recorded) {
            double[] weights = new double[recorded.length];
            for (int rank = 0; rank < weights.length; rank++) {
                weights[rank] = rank < 2 ? share / 2 : (1 - share) / (weights.length - 2);
            }
            return weights;
        }

        @Override
        public String toString() {
            return "top2:" + share;
        }
    }

    /**
     * Parses {@code recorded}, {@code uniform}, {@code zipf:s} or {@code top2:x}.
     *
     * @throws InvalidInputException naming {@code mix}
     */
    static Mix parse(String text) {
        String[] parts = text.split(":", 2);
        if (parts.length == 1) {
            switch (text) {
                case "recorded" -> {
                    return new Recorded();
                }
                case "uniform" -> {
                    return new Uniform();
                }
                default -> {}
            }
        } else if (parts[1].matches("-?[0-9]{1,3}(\\.[0-9]{1,9})?")) {
            double value = Double.parseDouble(parts[1]);
            switch (parts[0]) {
                case "zipf" -> {
                    return new Zipf(value);
                }
                case "top2" -> {
                    return new Top2(value);
                }
                default -> {}
            }
        }
        throw new InvalidInputException(
                FIELD, "must be recorded, uniform, zipf:s or top2:x, such as zipf:0.9, but is '" + text + "'");
    }
}
