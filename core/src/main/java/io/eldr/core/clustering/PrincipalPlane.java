package io.eldr.core.clustering;

import io.eldr.core.vector.VectorMath;

/**
 * The plane on which centroids lie furthest apart: their first two principal components. It is a plane of the signatures'
 * own space, and since its axes are sums of centroids, a signature is projected exactly from its similarities to the
 * centroids alone: with the centred centroids {@code d_k = c_k - m}, the eigenvectors {@code u_i} and eigenvalues
 * {@code l_i} of their Gram matrix, the axes are {@code v_i = sum_k u_ik d_k / sqrt(l_i)}, and because the {@code u_ik} sum
 * to 0 the coordinates of a signature s are {@code (s - m) . v_i = sum_k u_ik (s.c_k - m.c_k) / sqrt(l_i)}. (Kernel PCA by
 * B. Schölkopf, A. Smola, K.-R. Müller, 1998, with the linear kernel.) So a map of thousands of requests needs no
 * signatures kept, only what was computed to route them.
 *
 * <p>An axis on which the centroids do not differ, as the second of two clusters, has coordinate 0. Each axis points to
 * where its largest weight is positive, so that the same artifact gives the same map everywhere.
 */
public final class PrincipalPlane {
    private static final int AXES = 2;
    private static final int MAX_ROUNDS = 2_000;
    private static final double CONVERGED = 1e-12;
    /** Of the total variance; an axis with less is rounding. */
    private static final double NEGLIGIBLE = 1e-9;

    private final int clusters;
    /** {@code u_ik / sqrt(l_i)}, or 0 for an axis without variance. */
    private final double[][] weights;
    /** {@code m . c_k} */
    private final double[] means;

    private final double[] explained;
    private final double[][] gram;

    private PrincipalPlane(double[][] gram, double[] means, double[][] weights, double[] explained) {
        this.clusters = gram.length;
        this.gram = gram;
        this.means = means;
        this.weights = weights;
        this.explained = explained;
    }

    public static PrincipalPlane of(Centroids centroids) {
        double[][] gram = gram(centroids);
        double[] means = new double[gram.length];
        double overall = 0;
        for (int k = 0; k < gram.length; k++) {
            for (double product : gram[k]) {
                means[k] += product / gram.length;
            }
            overall += means[k] / gram.length;
        }
        double[][] centred = new double[gram.length][gram.length];
        double trace = 0;
        for (int j = 0; j < gram.length; j++) {
            for (int k = 0; k < gram.length; k++) {
                centred[j][k] = gram[j][k] - means[j] - means[k] + overall;
            }
            trace += centred[j][j];
        }
        double[][] axes = leadingVectors(centred);
        double[][] weights = new double[AXES][gram.length];
        double[] explained = new double[AXES];
        for (int i = 0; i < AXES; i++) {
            double variance = dot(axes[i], times(centred, axes[i]));
            if (variance > NEGLIGIBLE * Math.max(trace, Double.MIN_NORMAL)) {
                explained[i] = Math.min(1, variance / trace);
                double sign = sign(axes[i]);
                for (int k = 0; k < gram.length; k++) {
                    weights[i][k] = sign * axes[i][k] / Math.sqrt(variance);
                }
            }
        }
        return new PrincipalPlane(gram, means, weights, explained);
    }

    /** K. */
    public int clusters() {
        return clusters;
    }

    /** Which part of the centroids' variance lies on an axis, 0 to 1. */
    public double explained(int axis) {
        return explained[axis];
    }

    /**
     * A signature's coordinate.
     *
     * @param axis 0 or 1
     * @param similarities of the signature to each centroid [K]
     */
    public double coordinate(int axis, double[] similarities) {
        if (similarities.length != clusters) {
            throw new IllegalArgumentException(similarities.length + " similarities for " + clusters + " centroids");
        }
        double coordinate = 0;
        for (int k = 0; k < clusters; k++) {
            coordinate += weights[axis][k] * (similarities[k] - means[k]);
        }
        return coordinate;
    }

    /** A centroid's coordinate. */
    public double ofCentroid(int axis, int cluster) {
        return coordinate(axis, gram[cluster]);
    }

    private static double[][] gram(Centroids centroids) {
        float[] values = centroids.toArray();
        int dimensions = centroids.dimensions();
        double[][] gram = new double[centroids.count()][centroids.count()];
        for (int j = 0; j < gram.length; j++) {
            for (int k = j; k < gram.length; k++) {
                gram[j][k] = VectorMath.dot(values, j * dimensions, values, k * dimensions, dimensions);
                gram[k][j] = gram[j][k];
            }
        }
        return gram;
    }

    /** The eigenvectors of the two largest eigenvalues of a positive semi-definite matrix, by orthogonal iteration. */
    private static double[][] leadingVectors(double[][] matrix) {
        double[][] axes = new double[AXES][matrix.length];
        for (int k = 0; k < matrix.length; k++) {
            // Any start does that is not orthogonal to the answer; these have no symmetry that centroids could share.
            axes[0][k] = Math.sin(1 + k * 1.37);
            axes[1][k] = Math.cos(2 + k * 2.11);
        }
        orthonormalise(axes);
        for (int round = 0; round < MAX_ROUNDS; round++) {
            double[][] next = {times(matrix, axes[0]), times(matrix, axes[1])};
            orthonormalise(next);
            double moved = 0;
            for (int i = 0; i < AXES; i++) {
                moved = Math.max(moved, 1 - Math.abs(dot(next[i], axes[i])));
            }
            axes = next;
            if (moved < CONVERGED) {
                break;
            }
        }
        return axes;
    }

    /** A vector that vanishes stays 0. */
    private static void orthonormalise(double[][] vectors) {
        for (int i = 0; i < vectors.length; i++) {
            double before = Math.sqrt(dot(vectors[i], vectors[i]));
            for (int j = 0; j < i; j++) {
                double along = dot(vectors[i], vectors[j]);
                for (int k = 0; k < vectors[i].length; k++) {
                    vectors[i][k] -= along * vectors[j][k];
                }
            }
            double norm = Math.sqrt(dot(vectors[i], vectors[i]));
            // What is left of a vector within the others is rounding.
            double scale = norm > CONVERGED * before && norm > Double.MIN_NORMAL ? 1 / norm : 0;
            for (int k = 0; k < vectors[i].length; k++) {
                vectors[i][k] *= scale;
            }
        }
    }

    private static double[] times(double[][] matrix, double[] vector) {
        double[] product = new double[vector.length];
        for (int j = 0; j < product.length; j++) {
            product[j] = dot(matrix[j], vector);
        }
        return product;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int k = 0; k < a.length; k++) {
            sum += a[k] * b[k];
        }
        return sum;
    }

    private static double sign(double[] vector) {
        double largest = 0;
        for (double value : vector) {
            if (Math.abs(value) > Math.abs(largest) + NEGLIGIBLE) {
                largest = value;
            }
        }
        return largest < 0 ? -1 : 1;
    }
}
