package io.eldr.core.calibration;

/** What each request of a list stands for in a mean; NaN for one that does not count. */
final class RequestValues {
    private final double[] values;

    /** Adopts the array. */
    RequestValues(double[] values) {
        this.values = values;
    }

    /** How many requests there are, those that do not count included. */
    int requests() {
        return values.length;
    }

    double of(int request) {
        return values[request];
    }

    /** The mean over the requests that count; NaN where none does. */
    double mean() {
        Mean mean = new Mean();
        for (double value : values) {
            mean.add(value);
        }
        return mean.value();
    }

    /** A running mean that passes over NaN. */
    static final class Mean {
        private double sum;
        private int count;

        void add(double value) {
            if (!Double.isNaN(value)) {
                sum += value;
                count++;
            }
        }

        /** NaN where nothing was counted. */
        double value() {
            return count == 0 ? Double.NaN : sum / count;
        }
    }
}
