package io.eldr.core.clustering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrincipalPlaneTest {

    /** What is computed from similarities must be the projection in the signatures' own space. */
    @ParameterizedTest(name = "seed {0}, {1} centroids of {2} dimensions")
    @CsvSource({"1, 3, 8", "2, 8, 96", "3, 30, 64", "4, 9, 4"})
    void projectsSignaturesAsTheirOwnSpaceWould(long seed, int clusters, int dimensions) {
        RandomGenerator random = new SplittableRandom(seed);
        Centroids centroids = unit(random, clusters, dimensions);
        PrincipalPlane plane = PrincipalPlane.of(centroids);
        double[][] axes = axes(plane, centroids);

        assertThat(dot(axes[0], axes[0])).isCloseTo(1, within(1e-4));
        assertThat(dot(axes[1], axes[1])).isCloseTo(1, within(1e-4));
        assertThat(dot(axes[0], axes[1])).isCloseTo(0, within(1e-4));
        double[] signature = new double[dimensions];
        double[] mean = mean(centroids);
        double[] similarities = new double[clusters];
        for (int d = 0; d < dimensions; d++) {
            signature[d] = random.nextDouble();
            for (int k = 0; k < clusters; k++) {
                similarities[k] += signature[d] * centroids.value(k, d);
            }
        }
        for (int axis = 0; axis < 2; axis++) {
            double expected = 0;
            for (int d = 0; d < dimensions; d++) {
                expected += (signature[d] - mean[d]) * axes[axis][d];
            }
            assertThat(plane.coordinate(axis, similarities)).isCloseTo(expected, within(1e-4));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @CsvSource({"1", "2", "3"})
    void noOtherAxisKeepsMoreOfTheVariance(long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        Centroids centroids = unit(random, 10, 12);
        PrincipalPlane plane = PrincipalPlane.of(centroids);
        double first = variance(plane, 0);

        assertThat(plane.explained(0)).isGreaterThanOrEqualTo(plane.explained(1));
        assertThat(plane.explained(0) + plane.explained(1)).isLessThanOrEqualTo(1 + 1e-9);
        double[] mean = mean(centroids);
        for (int trial = 0; trial < 200; trial++) {
            double[] axis = random.doubles(12, -1, 1).toArray();
            double norm = Math.sqrt(dot(axis, axis));
            double along = 0;
            for (int k = 0; k < 10; k++) {
                double coordinate = 0;
                for (int d = 0; d < 12; d++) {
                    coordinate += (centroids.value(k, d) - mean[d]) * axis[d] / norm;
                }
                along += coordinate * coordinate;
            }
            assertThat(along).isLessThanOrEqualTo(first + 1e-6);
        }
    }

    @Test
    void twoClustersLieOnALineAndOneOnAPoint() {
        PrincipalPlane two = PrincipalPlane.of(unit(new SplittableRandom(5), 2, 16));
        assertThat(two.explained(0)).isCloseTo(1, within(1e-9));
        assertThat(two.ofCentroid(0, 0)).isCloseTo(-two.ofCentroid(0, 1), within(1e-6));
        assertThat(two.ofCentroid(1, 0)).isZero();

        PrincipalPlane one = PrincipalPlane.of(unit(new SplittableRandom(6), 1, 16));
        assertThat(one.explained(0)).isZero();
        assertThat(one.ofCentroid(0, 0)).isZero();
        assertThat(one.ofCentroid(1, 0)).isZero();
    }

    @Test
    void centroidsThatAreAllEquallyFarApartStillHaveAMap() {
        float[] values = new float[16];
        for (int k = 0; k < 4; k++) {
            values[k * 4 + k] = 1;
        }

        PrincipalPlane plane = PrincipalPlane.of(Centroids.of(4, 4, values));

        assertThat(plane.explained(0)).isCloseTo(1 / 3.0, within(1e-6));
        assertThat(plane.explained(1)).isCloseTo(1 / 3.0, within(1e-6));
        assertThat(Double.isFinite(plane.ofCentroid(0, 3))).isTrue();
    }

    @Test
    void theSameCentroidsGiveTheSameMap() {
        Centroids centroids = unit(new SplittableRandom(7), 8, 32);

        assertThat(PrincipalPlane.of(centroids).ofCentroid(1, 3))
                .isEqualTo(PrincipalPlane.of(centroids).ofCentroid(1, 3));
    }

    /** The axes in the signatures' space, found by projecting unit vectors. */
    private static double[][] axes(PrincipalPlane plane, Centroids centroids) {
        double[][] axes = new double[2][centroids.dimensions()];
        double[] mean = mean(centroids);
        for (int axis = 0; axis < 2; axis++) {
            double[] nothing = new double[centroids.count()];
            double origin = plane.coordinate(axis, nothing);
            for (int d = 0; d < mean.length; d++) {
                double[] similarities = new double[centroids.count()];
                for (int k = 0; k < similarities.length; k++) {
                    similarities[k] = centroids.value(k, d);
                }
                axes[axis][d] = plane.coordinate(axis, similarities) - origin;
            }
        }
        return axes;
    }

    private static double variance(PrincipalPlane plane, int axis) {
        double variance = 0;
        for (int k = 0; k < plane.clusters(); k++) {
            variance += plane.ofCentroid(axis, k) * plane.ofCentroid(axis, k);
        }
        return variance;
    }

    private static double[] mean(Centroids centroids) {
        double[] mean = new double[centroids.dimensions()];
        for (int d = 0; d < mean.length; d++) {
            for (int k = 0; k < centroids.count(); k++) {
                mean[d] += centroids.value(k, d) / (double) centroids.count();
            }
        }
        return mean;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    private static Centroids unit(RandomGenerator random, int clusters, int dimensions) {
        float[] values = new float[clusters * dimensions];
        for (int k = 0; k < clusters; k++) {
            double square = 0;
            for (int d = 0; d < dimensions; d++) {
                values[k * dimensions + d] = random.nextFloat();
                square += (double) values[k * dimensions + d] * values[k * dimensions + d];
            }
            for (int d = 0; d < dimensions; d++) {
                values[k * dimensions + d] /= (float) Math.sqrt(square);
            }
        }
        return Centroids.of(clusters, dimensions, values);
    }
}
