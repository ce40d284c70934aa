package io.eldr.core.clustering;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Unit rows to cluster. */
final class TestMatrices {
    private TestMatrices() {}

    /** Rows around a few random directions of very different popularity. */
    static float[][] clustered(int rows, int dimensions, int directions, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] centres = new double[directions][dimensions];
        for (double[] centre : centres) {
            Arrays.setAll(centre, d -> Math.exp(random.nextGaussian()));
        }
        float[][] matrix = new float[rows][];
        for (int row = 0; row < rows; row++) {
            double skew = random.nextDouble();
            double[] centre = centres[(int) (skew * skew * directions)];
            float[] values = new float[dimensions];
            for (int d = 0; d < dimensions; d++) {
                values[d] = (float) (centre[d] * Math.exp(0.5 * random.nextGaussian()));
            }
            matrix[row] = unit(values);
        }
        return matrix;
    }

    static float[] unit(float... values) {
        double square = 0;
        for (float value : values) {
            square += (double) value * value;
        }
        float[] unit = new float[values.length];
        for (int d = 0; d < values.length; d++) {
            unit[d] = (float) (values[d] / Math.sqrt(square));
        }
        return unit;
    }
}
