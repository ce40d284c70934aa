package io.eldr.benchmarks;

import io.eldr.core.vector.VectorMath;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Dot products of rows that together are larger than the caches, after warm-up; the fastest of several runs counts. */
final class KernelBenchmark {
    private static final int ROWS = 4_000;
    private static final int CENTROIDS = 64;
    private static final int DIMENSIONS = FitBenchmark.GEOMETRY.cells();
    private static final int ROWS_AT_ONCE = 16;
    private static final int RUNS = 7;

    private final float[][] rows;
    private final float[] centroids;
    private final double[] out = new double[ROWS * CENTROIDS];

    private KernelBenchmark(SplittableRandom random) {
        rows = IntStream.range(0, ROWS)
                .mapToObj(_ -> values(DIMENSIONS, random))
                .toArray(float[][]::new);
        centroids = values(CENTROIDS * DIMENSIONS, random);
    }

    static KernelFigures measure() {
        KernelBenchmark benchmark = new KernelBenchmark(new SplittableRandom(1));
        double operations = 2.0 * ROWS * CENTROIDS * DIMENSIONS;
        double single = fastest(benchmark::single);
        double[] expected = benchmark.out.clone();
        double block = fastest(benchmark::block);
        if (!Arrays.equals(expected, benchmark.out)) {
            throw new IllegalStateException("blocks of rows give other products than single rows");
        }
        double read = fastest(benchmark::read);
        return new KernelFigures(
                ROWS,
                CENTROIDS,
                DIMENSIONS,
                round(operations / single / 1e9),
                round(operations / block / 1e9),
                round((double) Float.BYTES * ROWS * DIMENSIONS / read / 1e9));
    }

    private void single() {
        for (int row = 0; row < ROWS; row++) {
            VectorMath.dots(rows[row], centroids, CENTROIDS, out, row * CENTROIDS);
        }
    }

    private void block() {
        for (int row = 0; row < ROWS; row += ROWS_AT_ONCE) {
            VectorMath.products(rows, row, row + ROWS_AT_ONCE, centroids, CENTROIDS, out, row * CENTROIDS);
        }
    }

    private void read() {
        for (int row = 0; row < ROWS; row++) {
            out[row] = VectorMath.dot(rows[row], rows[0]);
        }
    }

    /** In seconds. */
    private static double fastest(Runnable work) {
        double fastest = Double.POSITIVE_INFINITY;
        for (int run = 0; run < RUNS; run++) {
            long start = System.nanoTime();
            work.run();
            fastest = Math.min(fastest, (System.nanoTime() - start) / 1e9);
        }
        return fastest;
    }

    private static double round(double value) {
        return Math.round(value * 10) / 10.0;
    }

    private static float[] values(int length, SplittableRandom random) {
        float[] values = new float[length];
        for (int i = 0; i < length; i++) {
            values[i] = (float) random.nextDouble();
        }
        return values;
    }
}
