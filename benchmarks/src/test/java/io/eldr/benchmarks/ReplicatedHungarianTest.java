package io.eldr.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.clustering.CapacityAssignment;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplicatedHungarianTest {
    @ParameterizedTest(name = "{0} rows, {1} clusters, seed {2}")
    @CsvSource({"1,1,1", "7,3,2", "64,8,3", "250,16,4", "99,98,5"})
    void findsTheSameOptimumAsTheExactAssignment(int rows, int clusters, long seed) {
        double[] costs = new SplittableRandom(seed)
                .doubles((long) rows * clusters)
                .map(x -> x * x)
                .toArray();
        double expected = CapacityAssignment.solve(costs, rows, CapacityAssignment.evenCapacities(rows, clusters))
                .objective();

        assertThat(ReplicatedHungarian.solve(costs, rows, clusters)).isCloseTo(expected, within(1e-9));
    }
}
