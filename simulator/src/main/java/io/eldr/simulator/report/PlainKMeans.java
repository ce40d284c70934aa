package io.eldr.simulator.report;

import io.eldr.core.clustering.Centroids;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Spherical K-means without a capacity, to compare the balanced one with: Lloyd's iterations from k-means++ seeds. */
final class PlainKMeans {
    private static final int MAX_ITERATIONS = 50;

    private PlainKMeans() {}

    /** @param rows of length 1 or 0, at least {@code clusters} */
    static Centroids fit(List<float[]> rows, int clusters, long seed) {
        List<float[]> centroids = seeds(rows, clusters, new SplittableRandom(seed));
        int[] cluster = new int[rows.size()];
        Arrays.fill(cluster, -1);
        boolean changed = true;
        for (int i = 0; i < MAX_ITERATIONS && changed; i++) {
            changed = false;
            for (int row = 0; row < cluster.length; row++) {
                int nearest = nearest(rows.get(row), centroids);
                changed |= nearest != cluster[row];
                cluster[row] = nearest;
            }
            for (int k = 0; k < clusters; k++) {
                move(rows, cluster, k, centroids.get(k));
            }
        }
        int dimensions = rows.getFirst().length;
        float[] values = new float[clusters * dimensions];
        for (int k = 0; k < clusters; k++) {
            System.arraycopy(centroids.get(k), 0, values, k * dimensions, dimensions);
        }
        return Centroids.of(clusters, dimensions, values);
    }

    private static List<float[]> seeds(List<float[]> rows, int clusters, SplittableRandom random) {
        List<float[]> seeds = new ArrayList<>();
        seeds.add(rows.get(random.nextInt(rows.size())).clone());
        double[] distances = new double[rows.size()];
        Arrays.fill(distances, Double.POSITIVE_INFINITY);
        while (seeds.size() < clusters) {
            double total = 0;
            for (int row = 0; row < distances.length; row++) {
                distances[row] = Math.min(distances[row], Math.max(0, 1 - dot(rows.get(row), seeds.getLast())));
                total += distances[row];
            }
            double place = random.nextDouble() * total;
            int chosen = 0;
            while (chosen < distances.length - 1 && place >= distances[chosen]) {
                place -= distances[chosen++];
            }
            seeds.add(rows.get(chosen).clone());
        }
        return seeds;
    }

    private static int nearest(float[] row, List<float[]> centroids) {
        int nearest = 0;
        double best = Double.NEGATIVE_INFINITY;
        for (int k = 0; k < centroids.size(); k++) {
            double similarity = dot(row, centroids.get(k));
            if (similarity > best) {
                best = similarity;
                nearest = k;
            }
        }
        return nearest;
    }

    /** To the mean of its rows; one without rows stays. */
    private static void move(List<float[]> rows, int[] cluster, int k, float[] centroid) {
        double[] sum = new double[centroid.length];
        for (int row = 0; row < cluster.length; row++) {
            if (cluster[row] == k) {
                for (int d = 0; d < sum.length; d++) {
                    sum[d] += rows.get(row)[d];
                }
            }
        }
        double norm = Math.sqrt(Arrays.stream(sum).map(x -> x * x).sum());
        if (norm > 0) {
            for (int d = 0; d < sum.length; d++) {
                centroid[d] = (float) (sum[d] / norm);
            }
        }
    }

    private static double dot(float[] a, float[] b) {
        double sum = 0;
        for (int d = 0; d < a.length; d++) {
            sum += (double) a[d] * b[d];
        }
        return sum;
    }
}
