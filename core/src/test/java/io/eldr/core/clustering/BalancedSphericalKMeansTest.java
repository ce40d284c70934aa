package io.eldr.core.clustering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.vector.Parallel;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BalancedSphericalKMeansTest {
    private static final Parallel ALONE = Parallel.sequential();

    @Test
    void findsTwoClearGroups() {
        float[][] rows = {
            TestMatrices.unit(1, 0.1f),
            TestMatrices.unit(0.1f, 1),
            TestMatrices.unit(1, -0.1f),
            TestMatrices.unit(-0.1f, 1),
        };

        BalancedClusters clusters = fit(rows, 2, 1);

        Assignment assignment = clusters.assignment();
        assertThat(assignment.clusterOf(0)).isEqualTo(assignment.clusterOf(2));
        assertThat(assignment.clusterOf(1)).isEqualTo(assignment.clusterOf(3));
        assertThat(clusters.sizes()).containsExactly(2, 2);
        int first = assignment.clusterOf(0);
        assertThat(clusters.centroids().value(first, 0)).isCloseTo(1, within(1e-6f));
        assertThat(clusters.centroids().value(first, 1)).isCloseTo(0, within(1e-6f));
        // Each row is 1 - 1/sqrt(1.01) away.
        assertThat(clusters.objective()).isCloseTo(4 * (1 - 1 / Math.sqrt(1.01)), within(1e-6));
        assertThat(clusters.converged()).isTrue();
    }

    @ParameterizedTest(name = "{0} rows, {1} clusters, seed {2}")
    @CsvSource({"40,4,1", "41,4,2", "43,4,3", "100,16,4", "101,10,5", "20,20,6", "300,7,7", "17,16,8"})
    void endsWithTheExactAssignmentToItsOwnCentroids(int n, int k, long seed) {
        float[][] rows = TestMatrices.clustered(n, 11, 6, seed);

        BalancedClusters clusters = fit(rows, k, seed);

        double[] costs = costs(rows, clusters.centroids());
        int[] capacities = CapacityAssignment.evenCapacities(n, k);
        CapacityAssignmentTest.requireOptimal(clusters.assignment(), costs, capacities);
        assertThat(clusters.objective())
                .isCloseTo(CapacityAssignment.solve(costs, n, capacities).objective(), within(1e-9));
        assertThat(Arrays.stream(clusters.sizes()).max().orElseThrow()).isLessThanOrEqualTo(Math.ceilDiv(n, k));
        if (clusters.converged()) {
            requireMeans(rows, clusters);
        }
    }

    @Test
    void theObjectiveBelongsToTheReturnedCentroidsAlsoWhenItEndsEarly() {
        float[][] rows = TestMatrices.clustered(200, 9, 9, 3);
        for (int maxIterations = 0; maxIterations < 4; maxIterations++) {
            BalancedClusters clusters = BalancedSphericalKMeans.fit(matrix(rows), 8, 5, maxIterations, ALONE);

            assertThat(clusters.iterations()).isEqualTo(maxIterations);
            assertThat(clusters.converged()).isFalse();
            CapacityAssignmentTest.requireOptimal(
                    clusters.assignment(),
                    costs(rows, clusters.centroids()),
                    CapacityAssignment.evenCapacities(200, 8));
        }
    }

    @Test
    void movingCentroidsLowersTheObjective() {
        float[][] rows = TestMatrices.clustered(500, 13, 20, 4);

        double start =
                BalancedSphericalKMeans.fit(matrix(rows), 10, 2, 0, ALONE).objective();

        assertThat(fit(rows, 10, 2).objective()).isLessThan(0.9 * start);
    }

    @ParameterizedTest(name = "{0} lanes")
    @ValueSource(ints = {2, 3, 4})
    void findsTheSameBitForBitWhateverTheNumberOfThreads(int lanes) {
        float[][] rows = TestMatrices.clustered(300, 37, 12, 8);
        try (ExecutorService executor = Executors.newFixedThreadPool(lanes - 1)) {
            BalancedClusters alone = fit(rows, 9, 6);
            BalancedClusters together =
                    BalancedSphericalKMeans.fit(matrix(rows), 9, 6, 50, Parallel.on(executor, lanes));

            assertThat(together.centroids()).isEqualTo(alone.centroids());
            assertThat(together.assignment().toArray())
                    .isEqualTo(alone.assignment().toArray());
            assertThat(together.objective()).isEqualTo(alone.objective());
        }
    }

    @Test
    void identicalRowsGiveIdenticalCentroidsAndFullClusters() {
        float[][] rows = new float[10][];
        Arrays.fill(rows, TestMatrices.unit(3, 4, 5));

        BalancedClusters clusters = fit(rows, 4, 1);

        assertThat(Arrays.stream(clusters.sizes()).sum()).isEqualTo(10);
        assertThat(Arrays.stream(clusters.sizes()).max()).hasValue(3);
        assertThat(clusters.objective()).isCloseTo(0, within(1e-5));
        assertThat(clusters.converged()).isTrue();
    }

    @Test
    void zeroRowsAreAtDistanceOneAndMoveNothing() {
        float[][] rows = {{1, 0}, {0, 0}, {0, 1}, {0, 0}};

        BalancedClusters clusters = fit(rows, 2, 1);

        assertThat(clusters.objective()).isCloseTo(2, within(1e-12));
        assertThat(clusters.centroids().toArray()).contains(1, 1, 0, 0);
        assertThat(clusters.sizes()).containsExactly(2, 2);
    }

    @Test
    void aCentroidWithoutRowsStaysWhereItIs() {
        // Capacity 2 for 4 clusters and 5 rows: one cluster may well stay empty, and then keeps a seed of length 1.
        float[][] rows = {{1, 0}, {1, 0}, {0, 1}, {0, 1}, {0, 1}};
        for (int seed = 0; seed < 20; seed++) {
            BalancedClusters clusters = fit(rows, 4, seed);

            assertThat(clusters.objective()).isCloseTo(0, within(1e-9));
            assertThat(clusters.centroids().count()).isEqualTo(4);
        }
    }

    @Test
    void refusesMoreClustersThanSamplesByName() {
        float[][] rows = {{1, 0}, {0, 1}};

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> fit(rows, 3, 1))
                .withMessage("clusters: must be between 1 and the 2 samples but are 3");
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> fit(rows, 0, 1))
                .withMessageContaining("clusters");
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> fit(new float[4][2], 2, 1))
                .withMessage("signatures: are all zero");
        float[][] many = new float[2_000][];
        Arrays.fill(many, new float[] {1, 0});
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> fit(many, 1_025, 1))
                .withMessageContaining("clusters: are too many: 1025");
    }

    @Test
    void assignsOtherRowsUnderTheirOwnCapacity() {
        float[][] rows = TestMatrices.clustered(90, 8, 5, 1);
        float[][] others = TestMatrices.clustered(37, 8, 5, 2);
        Centroids centroids = fit(rows, 5, 1).centroids();

        Assignment assignment = BalancedSphericalKMeans.assign(matrix(others), centroids, ALONE);

        CapacityAssignmentTest.requireOptimal(
                assignment, costs(others, centroids), CapacityAssignment.evenCapacities(37, 5));
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> BalancedSphericalKMeans.assign(matrix(new float[][] {{1, 0}}), centroids, ALONE))
                .withMessageContaining("centroids: have 8 dimensions but the signatures have 2");
    }

    private static BalancedClusters fit(float[][] rows, int clusters, long seed) {
        return BalancedSphericalKMeans.fit(
                matrix(rows), clusters, seed, BalancedSphericalKMeans.DEFAULT_MAX_ITERATIONS, ALONE);
    }

    private static SignatureMatrix matrix(float[][] rows) {
        return SignatureMatrix.of(rows[0].length, rows);
    }

    private static double[] costs(float[][] rows, Centroids centroids) {
        double[] costs = new double[rows.length * centroids.count()];
        for (int i = 0; i < costs.length; i++) {
            double dot = 0;
            for (int d = 0; d < centroids.dimensions(); d++) {
                dot += (double) rows[i / centroids.count()][d] * centroids.value(i % centroids.count(), d);
            }
            costs[i] = 1 - dot;
        }
        return costs;
    }

    private static void requireMeans(float[][] rows, BalancedClusters clusters) {
        Centroids centroids = clusters.centroids();
        for (int k = 0; k < centroids.count(); k++) {
            int cluster = k;
            double[] mean = new double[centroids.dimensions()];
            IntStream.range(0, rows.length)
                    .filter(row -> clusters.assignment().clusterOf(row) == cluster)
                    .forEach(row -> Arrays.setAll(mean, d -> mean[d] + rows[row][d]));
            double norm = Math.sqrt(Arrays.stream(mean).map(x -> x * x).sum());
            if (norm > 0) {
                for (int d = 0; d < mean.length; d++) {
                    assertThat((double) centroids.value(k, d)).isCloseTo(mean[d] / norm, within(1e-6));
                }
            }
        }
    }
}
