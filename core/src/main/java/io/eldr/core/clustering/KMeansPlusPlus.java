package io.eldr.core.clustering;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.vector.Parallel;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * k-means++ seeds: the first row at random, each further one with a probability proportional to its squared Euclidean
 * distance from the nearest seed so far (Arthur and Vassilvitskii, 2007). Zero rows, which point nowhere, are never chosen.
 * Where rows other than the seeds are left with distance 0 only, any row is taken.
 *
 * <p>Rows are read once for several candidates, not once for each seed: candidates are drawn together by the distances
 * before any of them was chosen, and each is then kept with the probability that its distance is now of what it was. That
 * is rejection sampling, as distances only fall: a row that is kept has exactly the probability it should have.
 */
public final class KMeansPlusPlus {
    private static final int ROWS_AT_ONCE = 16;
    private static final int CANDIDATES_AT_ONCE = 8;
    /** Squared distances are at most 4 between unit vectors. */
    private static final double FARTHEST = 4;

    private final SignatureMatrix matrix;
    private final RandomGenerator random;
    private final Parallel parallel;
    /** [row]: its squared distance from the nearest seed; 0 for zero rows. */
    private final double[] distances;

    private final int[] seeds;
    private int chosen;

    private KMeansPlusPlus(SignatureMatrix matrix, int clusters, RandomGenerator random, Parallel parallel) {
        this.matrix = matrix;
        this.random = random;
        this.parallel = parallel;
        this.distances = new double[matrix.rows()];
        this.seeds = new int[clusters];
    }

    /**
     * The rows chosen, K of them; a row may occur twice only where there are fewer than K different ones.
     *
     * @throws InvalidInputException naming {@code signatures} if all are zero
     */
    public static int[] seeds(SignatureMatrix matrix, int clusters, RandomGenerator random, Parallel parallel) {
        KMeansPlusPlus search = new KMeansPlusPlus(matrix, clusters, random, parallel);
        search.run();
        return search.seeds;
    }

    private void run() {
        Arrays.setAll(distances, row -> matrix.isZero(row) ? 0 : FARTHEST);
        while (chosen < seeds.length) {
            double total = Arrays.stream(distances).sum();
            if (total > 0) {
                int[] candidates = new int[Math.min(CANDIDATES_AT_ONCE, seeds.length - chosen)];
                Arrays.setAll(candidates, _ -> draw(total));
                choose(candidates, products(candidates));
            } else if (chosen > 0) {
                seeds[chosen] = seeds[random.nextInt(chosen)];
                chosen++;
            } else {
                throw new InvalidInputException("signatures", "are all zero");
            }
        }
    }

    /** A row with a probability proportional to its distance. */
    private int draw(double total) {
        double threshold = random.nextDouble() * total;
        int last = -1;
        double sum = 0;
        for (int row = 0; row < distances.length; row++) {
            if (distances[row] > 0) {
                sum += distances[row];
                last = row;
                if (sum > threshold) {
                    return row;
                }
            }
        }
        return last;
    }

    /** The cosines of all rows to the candidates, [row, candidate]. */
    private double[] products(int[] candidates) {
        int dimensions = matrix.dimensions();
        float[] vectors = new float[candidates.length * dimensions];
        for (int c = 0; c < candidates.length; c++) {
            System.arraycopy(matrix.row(candidates[c]), 0, vectors, c * dimensions, dimensions);
        }
        double[] products = new double[Math.multiplyExact(matrix.rows(), candidates.length)];
        parallel.forEachRange(
                matrix.rows(),
                ROWS_AT_ONCE,
                (lane, from, to) ->
                        matrix.products(from, to, vectors, candidates.length, products, from * candidates.length));
        return products;
    }

    private void choose(int[] candidates, double[] products) {
        double[] drawnBy =
                Arrays.stream(candidates).mapToDouble(row -> distances[row]).toArray();
        for (int c = 0; c < candidates.length; c++) {
            if (random.nextDouble() * drawnBy[c] < distances[candidates[c]]) {
                seeds[chosen++] = candidates[c];
                for (int row = 0; row < distances.length; row++) {
                    double distance = Math.max(0, 2 - 2 * products[row * candidates.length + c]);
                    distances[row] = Math.min(distances[row], distance);
                }
                distances[candidates[c]] = 0;
            }
        }
    }
}
