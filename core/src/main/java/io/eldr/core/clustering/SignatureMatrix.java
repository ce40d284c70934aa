package io.eldr.core.clustering;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.SignatureSpec;
import io.eldr.core.vector.Interrupts;
import io.eldr.core.vector.VectorMath;
import java.util.ArrayList;
import java.util.List;

/** The signatures of N requests: float32 rows of length 1, or zero, shape [N, D]. */
public final class SignatureMatrix {
    private final int dimensions;
    /** One array a row: at large N a single one would not fit into an array. */
    private final float[][] rows;

    private SignatureMatrix(int dimensions, float[][] rows) {
        this.dimensions = dimensions;
        this.rows = rows;
    }

    /**
     * The signatures that a spec makes of counts.
     *
     * @param requests read once, in order, and not kept
     * @throws InvalidInputException naming {@code counts[r]} if a request has another shape than the spec's
     */
    public static SignatureMatrix of(SignatureSpec spec, Iterable<ExpertCounts> requests) {
        List<float[]> rows = new ArrayList<>();
        for (ExpertCounts counts : requests) {
            Interrupts.check();
            try {
                float[] row = new float[spec.dimensions()];
                spec.writeSignature(counts, row);
                rows.add(row);
            } catch (InvalidInputException e) {
                throw new InvalidInputException("counts[" + rows.size() + "]", e.reason());
            }
        }
        return new SignatureMatrix(spec.dimensions(), rows.toArray(float[][]::new));
    }

    /**
     * @param rows N rows of D values each; copied
     * @throws InvalidInputException naming {@code signatures[r]} if a row has another length, a value that is not finite, or
     *     is neither of length 1 within {@link Centroids#NORM_TOLERANCE} nor zero
     */
    public static SignatureMatrix of(int dimensions, float[][] rows) {
        float[][] copies = new float[rows.length][];
        for (int r = 0; r < rows.length; r++) {
            copies[r] = requireSignature(dimensions, rows[r].clone(), "signatures[" + r + "]");
        }
        return new SignatureMatrix(dimensions, copies);
    }

    /** N. */
    public int rows() {
        return rows.length;
    }

    /** D. */
    public int dimensions() {
        return dimensions;
    }

    /** True if a request's counts said nothing. */
    public boolean isZero(int row) {
        for (float value : rows[row]) {
            if (value != 0) {
                return false;
            }
        }
        return true;
    }

    /** A row, only to be read. */
    float[] row(int row) {
        return rows[row];
    }

    /**
     * The dot products of the rows {@code from} to {@code to - 1} with vectors of D values each, [row, vector] from {@code
     * outOffset} on.
     *
     * @param vectors row-major, {@code count} of them
     */
    void products(int from, int to, float[] vectors, int count, double[] out, int outOffset) {
        VectorMath.products(rows, from, to, vectors, count, out, outOffset);
    }

    private static float[] requireSignature(int dimensions, float[] row, String field) {
        if (row.length != dimensions) {
            throw new InvalidInputException(field, "has " + row.length + " values instead of " + dimensions);
        }
        double square = 0;
        for (float value : row) {
            square += (double) value * value;
        }
        if (!(square == 0 || Math.abs(Math.sqrt(square) - 1) <= Centroids.NORM_TOLERANCE)) {
            throw new InvalidInputException(field, "must have length 1 or 0 but has " + Math.sqrt(square));
        }
        return row;
    }
}
