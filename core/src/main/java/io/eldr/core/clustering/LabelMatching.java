package io.eldr.core.clustering;

import io.eldr.core.signature.InvalidInputException;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * The one-to-one matching of new clusters to old ones with the highest total similarity, so that a decoder keeps its
 * cluster across refits wherever possible. Where the numbers differ, the clusters left over match none.
 */
public final class LabelMatching {
    private static final int NONE = -1;

    private final int[] oldOfNew;
    private final int[] newOfOld;
    private final double similarity;

    private LabelMatching(int[] oldOfNew, int[] newOfOld, double similarity) {
        this.oldOfNew = oldOfNew;
        this.newOfOld = newOfOld;
        this.similarity = similarity;
    }

    /**
     * Matches by cosine similarity.
     *
     * @throws InvalidInputException naming {@code centroids} if they do not have the same dimensions
     */
    public static LabelMatching of(Centroids newer, Centroids older) {
        if (newer.dimensions() != older.dimensions()) {
            throw new InvalidInputException(
                    "centroids",
                    "have " + newer.dimensions() + " dimensions and cannot be compared with " + older.dimensions());
        }
        double[] similarities = new double[newer.count() * older.count()];
        for (int n = 0; n < newer.count(); n++) {
            for (int o = 0; o < older.count(); o++) {
                double sum = 0;
                for (int d = 0; d < newer.dimensions(); d++) {
                    sum += (double) newer.value(n, d) * older.value(o, d);
                }
                similarities[n * older.count() + o] = sum;
            }
        }
        return of(newer.count(), older.count(), similarities);
    }

    /**
     * Matches by any similarity, for clusters that do not live in the same space.
     *
     * @param similarities new x old values, row-major
     */
    public static LabelMatching of(int newCount, int oldCount, double[] similarities) {
        // An assignment with room for one: the fewer are the rows.
        boolean newAreRows = newCount <= oldCount;
        int rows = Math.min(newCount, oldCount);
        int columns = Math.max(newCount, oldCount);
        double[] costs = new double[similarities.length];
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                int index = newAreRows ? row * oldCount + column : column * oldCount + row;
                costs[row * columns + column] = -similarities[index];
            }
        }
        int[] capacities = new int[columns];
        Arrays.fill(capacities, 1);
        Assignment assignment = CapacityAssignment.solve(costs, rows, capacities);
        int[] oldOfNew = new int[newCount];
        int[] newOfOld = new int[oldCount];
        Arrays.fill(oldOfNew, NONE);
        Arrays.fill(newOfOld, NONE);
        for (int row = 0; row < rows; row++) {
            int column = assignment.clusterOf(row);
            int newer = newAreRows ? row : column;
            int older = newAreRows ? column : row;
            oldOfNew[newer] = older;
            newOfOld[older] = newer;
        }
        return new LabelMatching(oldOfNew, newOfOld, -assignment.objective());
    }

    /** The old cluster that a new one continues; empty if it is one too many. */
    public OptionalInt oldOf(int newCluster) {
        return optional(oldOfNew[newCluster]);
    }

    /** The new cluster that continues an old one; empty if none does. */
    public OptionalInt newOf(int oldCluster) {
        return optional(newOfOld[oldCluster]);
    }

    /** The total similarity of the matched pairs. */
    public double similarity() {
        return similarity;
    }

    private static OptionalInt optional(int cluster) {
        return cluster == NONE ? OptionalInt.empty() : OptionalInt.of(cluster);
    }
}
