package io.eldr.core.clustering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import com.google.ortools.Loader;
import com.google.ortools.graph.MinCostFlow;
import com.google.ortools.graph.MinCostFlowBase;
import io.eldr.core.signature.InvalidInputException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CapacityAssignmentTest {
    private static final double SCALE = 1e9;

    @Test
    void movesTheRowThatLosesLeast() {
        // All prefer cluster 0, which takes two; moving costs 0.5, 0.1 and 0.3.
        double[] costs = {0.1, 0.6, 0.2, 0.3, 0.1, 0.4};

        Assignment assignment = CapacityAssignment.solve(costs, 3, new int[] {2, 2});

        assertThat(assignment.toArray()).containsExactly(0, 1, 0);
        assertThat(assignment.objective()).isCloseTo(0.5, within(1e-15));
        assertThat(assignment.sizes()).containsExactly(2, 1);
        // A third place in cluster 0 would bring the 0.1 back.
        assertThat(assignment.prices()[0]).isCloseTo(0.1, within(1e-15));
        assertThat(assignment.prices()[1]).isZero();
    }

    @Test
    void findsAChainOfMovesWhereNoSingleMoveIsBest() {
        // Row 0 can only go to 1 cheaply, which is full of row 2, which can only go to 2 cheaply.
        double[] costs = {
            0.0, 0.1, 9.0,
            0.0, 9.0, 9.0,
            9.0, 0.0, 0.1,
        };

        Assignment assignment = CapacityAssignment.solve(costs, 3, new int[] {1, 1, 1});

        assertThat(assignment.toArray()).containsExactly(1, 0, 2);
        assertThat(assignment.objective()).isCloseTo(0.2, within(1e-15));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void isAsCheapAsTheBestOfAllAssignments(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 60; round++) {
            int clusters = 1 + random.nextInt(4);
            int rows = 1 + random.nextInt(7);
            boolean coarse = random.nextBoolean();
            double[] costs = new double[rows * clusters];
            for (int i = 0; i < costs.length; i++) {
                // Coarse costs are often equal.
                costs[i] = coarse ? random.nextInt(3) : random.nextDouble(-1, 1);
            }
            int[] capacities = randomCapacities(rows, clusters, random);

            Assignment assignment = CapacityAssignment.solve(costs, rows, capacities);

            requireOptimal(assignment, costs, capacities);
            assertThat(assignment.objective())
                    .isCloseTo(cheapest(costs, 0, clusters, capacities.clone()), within(1e-12));
        }
    }

    @ParameterizedTest(name = "{0} rows, {1} clusters, seed {2}")
    @CsvSource({
        "16,16,1",
        "50,7,2",
        "200,16,3",
        "333,5,4",
        "1000,16,5",
        "1000,32,6",
        "1999,32,7",
        "2000,32,8",
        "2000,2,9",
        "2000,16,10",
        "100,99,11",
        "64,32,12"
    })
    void isAsCheapAsOrToolsFinds(int rows, int clusters, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] costs = crowdedCosts(rows, clusters, random);
        int[] even = CapacityAssignment.evenCapacities(rows, clusters);
        int[] uneven = randomCapacities(rows, clusters, random);
        for (int[] capacities : new int[][] {even, uneven}) {
            Assignment assignment = CapacityAssignment.solve(costs, rows, capacities);

            requireOptimal(assignment, costs, capacities);
            double expected = orTools(costs, rows, capacities);
            assertThat(assignment.objective()).isCloseTo(expected, within(1e-6 * Math.abs(expected)));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void isExactFromAnyStartPrices(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int rows = 200 + random.nextInt(200);
        int clusters = 2 + random.nextInt(20);
        double[] costs = crowdedCosts(rows, clusters, random);
        int[] capacities = random.nextBoolean()
                ? CapacityAssignment.evenCapacities(rows, clusters)
                : randomCapacities(rows, clusters, random);
        Assignment cold = CapacityAssignment.solve(costs, rows, capacities);
        double[] wild = new double[clusters];
        for (int k = 0; k < clusters; k++) {
            wild[k] = random.nextDouble(-3, 3);
        }
        for (double[] start : new double[][] {cold.prices(), wild}) {
            Assignment warm = CapacityAssignment.solve(costs, rows, capacities, start);

            requireOptimal(warm, costs, capacities);
            assertThat(warm.objective()).isCloseTo(cold.objective(), within(1e-9));
        }
    }

    @Test
    void identicalRowsFillTheClustersEvenly() {
        int rows = 1_000;
        double[] costs = new double[rows * 8];
        for (int row = 0; row < rows; row++) {
            for (int k = 0; k < 8; k++) {
                costs[row * 8 + k] = 0.1 * k;
            }
        }
        int[] capacities = CapacityAssignment.evenCapacities(rows, 8);

        Assignment assignment = CapacityAssignment.solve(costs, rows, capacities);

        requireOptimal(assignment, costs, capacities);
        assertThat(assignment.sizes()).containsOnly(125);
        assertThat(assignment.objective()).isCloseTo(125 * 2.8, within(1e-9));
    }

    @Test
    void equalCostsFillTheClustersEvenly() {
        double[] costs = new double[103 * 4];
        Arrays.fill(costs, 1);

        Assignment assignment = CapacityAssignment.solve(costs, 103, CapacityAssignment.evenCapacities(103, 4));

        assertThat(assignment.sizes())
                .satisfies(sizes ->
                        assertThat(Arrays.stream(sizes).max().orElseThrow()).isLessThanOrEqualTo(26));
        assertThat(assignment.objective()).isEqualTo(103);
        assertThat(assignment.prices()).containsOnly(0);
    }

    @Test
    void oneClusterNearestForAllKeepsTheRowsThatWouldLoseMost() {
        int rows = 999;
        int clusters = 10;
        SplittableRandom random = new SplittableRandom(5);
        double[] costs = new double[rows * clusters];
        for (int i = 0; i < costs.length; i++) {
            costs[i] = i % clusters == 3 ? 0 : random.nextDouble();
        }
        int[] capacities = CapacityAssignment.evenCapacities(rows, clusters);

        Assignment assignment = CapacityAssignment.solve(costs, rows, capacities);

        requireOptimal(assignment, costs, capacities);
        assertThat(assignment.sizes()[3]).isEqualTo(100);
        assertThat(assignment.objective()).isCloseTo(orTools(costs, rows, capacities), within(1e-6));
    }

    @Test
    void givesTheSameAnswerAgain() {
        double[] costs = crowdedCosts(500, 12, new SplittableRandom(9));
        int[] capacities = CapacityAssignment.evenCapacities(500, 12);

        assertThat(CapacityAssignment.solve(costs, 500, capacities).toArray())
                .isEqualTo(CapacityAssignment.solve(costs, 500, capacities).toArray());
    }

    @Test
    void takesCapacitiesFarAboveTheNumberOfRows() {
        double[] costs = {0.1, 0.2, 0.3, 0.9, 0.8, 0.7};
        int[] endless = {Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE};

        assertThat(CapacityAssignment.solve(costs, 2, endless).toArray()).containsExactly(0, 2);
        assertThat(CapacityAssignment.solve(costs, 2, endless, new double[] {5, 5, 0})
                        .toArray())
                .containsExactly(0, 2);
    }

    @Test
    void noRowsNeedNoPlace() {
        assertThat(CapacityAssignment.solve(new double[0], 0, new int[] {0, 0}).objective())
                .isZero();
    }

    @Test
    void refusesWhatCannotBeSolvedByName() {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> CapacityAssignment.solve(new double[6], 3, new int[] {1, 1}))
                .withMessage("capacities: have room for 2 of 3 rows");
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> CapacityAssignment.solve(new double[6], 3, new int[] {4, -1}))
                .withMessageContaining("capacities: must not be negative");
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> CapacityAssignment.solve(new double[5], 3, new int[] {4, 4}))
                .withMessageContaining("costs: must hold 3 x 2 values but holds 5");
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> CapacityAssignment.solve(new double[] {0, 0, 0, Double.NaN}, 2, new int[] {2, 2}))
                .withMessageContaining("costs: row 1, cluster 1: NaN");
    }

    /** Checks capacities, the objective, and the prices that prove that nothing is cheaper. */
    static void requireOptimal(Assignment assignment, double[] costs, int[] capacities) {
        int clusters = capacities.length;
        int[] sizes = assignment.sizes();
        double[] prices = assignment.prices();
        for (int k = 0; k < clusters; k++) {
            assertThat(sizes[k]).isLessThanOrEqualTo(capacities[k]);
            assertThat(prices[k]).isNotNegative();
            if (sizes[k] < capacities[k] && sizes[k] < assignment.rows()) {
                assertThat(prices[k]).isCloseTo(0, within(1e-9));
            }
        }
        double total = 0;
        for (int row = 0; row < assignment.rows(); row++) {
            int own = assignment.clusterOf(row);
            total += costs[row * clusters + own];
            for (int k = 0; k < clusters; k++) {
                assertThat(costs[row * clusters + own] + prices[own])
                        .isLessThanOrEqualTo(costs[row * clusters + k] + prices[k] + 1e-9);
            }
        }
        assertThat(assignment.objective()).isCloseTo(total, within(1e-9));
    }

    private static double cheapest(double[] costs, int row, int clusters, int[] room) {
        if (row * clusters == costs.length) {
            return 0;
        }
        double best = Double.POSITIVE_INFINITY;
        for (int k = 0; k < clusters; k++) {
            if (room[k] > 0) {
                room[k]--;
                best = Math.min(best, costs[row * clusters + k] + cheapest(costs, row + 1, clusters, room));
                room[k]++;
            }
        }
        return best;
    }

    /** Costs like cosine distances to centroids of which few are near to most rows. */
    private static double[] crowdedCosts(int rows, int clusters, SplittableRandom random) {
        double[] costs = new double[rows * clusters];
        for (int row = 0; row < rows; row++) {
            double base = random.nextDouble();
            for (int k = 0; k < clusters; k++) {
                double popularity = (double) k / clusters;
                costs[row * clusters + k] = 0.3 * base + 0.4 * popularity + 0.3 * random.nextDouble();
            }
        }
        return costs;
    }

    private static int[] randomCapacities(int rows, int clusters, SplittableRandom random) {
        int[] capacities = new int[clusters];
        for (int place = 0; place < rows + random.nextInt(rows + 1); place++) {
            capacities[random.nextInt(clusters)]++;
        }
        while (Arrays.stream(capacities).sum() < rows) {
            capacities[random.nextInt(clusters)]++;
        }
        return capacities;
    }

    private static double orTools(double[] costs, int rows, int[] capacities) {
        Loader.loadNativeLibraries();
        MinCostFlow flow = new MinCostFlow();
        int clusters = capacities.length;
        int sink = rows + clusters;
        for (int row = 0; row < rows; row++) {
            for (int k = 0; k < clusters; k++) {
                flow.addArcWithCapacityAndUnitCost(row, rows + k, 1, Math.round(costs[row * clusters + k] * SCALE));
            }
            flow.setNodeSupply(row, 1);
        }
        for (int k = 0; k < clusters; k++) {
            flow.addArcWithCapacityAndUnitCost(rows + k, sink, capacities[k], 0);
        }
        flow.setNodeSupply(sink, -rows);
        assertThat(flow.solve()).isEqualTo(MinCostFlowBase.Status.OPTIMAL);
        return flow.getOptimalCost() / SCALE;
    }
}
