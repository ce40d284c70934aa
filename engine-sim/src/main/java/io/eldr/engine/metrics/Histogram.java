package io.eldr.engine.metrics;

import java.util.Arrays;

/** Observations in buckets, as Prometheus counts them. */
final class Histogram {
    private final double[] bounds;
    private final long[] counts;
    private double sum;
    private long count;

    /** @param bounds the buckets' upper bounds, rising, without infinity */
    Histogram(double... bounds) {
        this.bounds = bounds.clone();
        this.counts = new long[bounds.length + 1];
    }

    synchronized void observe(double value) {
        observe(value, 1);
    }

    /** The same value so many times. */
    synchronized void observe(double value, long times) {
        int found = Arrays.binarySearch(bounds, value);
        counts[found < 0 ? -found - 1 : found] += times;
        sum += value * times;
        count += times;
    }

    /** Writes every bucket with the count of all up to it, then count and sum. */
    synchronized void write(PageWriter page, String name, String help) {
        page.head(name, help, "histogram");
        long below = 0;
        for (int i = 0; i < bounds.length; i++) {
            below += counts[i];
            page.bucket(name, bounds[i], below);
        }
        page.bucket(name, Double.POSITIVE_INFINITY, count);
        page.value(name + "_count", count);
        page.value(name + "_sum", sum);
        page.created(name);
    }
}
