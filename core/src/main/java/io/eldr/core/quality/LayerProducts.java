package io.eldr.core.quality;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.SignatureSpec;
import io.eldr.core.vector.Parallel;
import io.eldr.core.vector.VectorMath;
import java.util.List;

/**
 * For one representation the dot product of each pair of requests in each layer, and the square of each request's length
 * in each layer, in float64. Sums over the layers of any mask give the cosine of the masked signatures, so a mask costs
 * one pass over the pairs.
 */
public final class LayerProducts {
    private static final int PAIRS_AT_ONCE = 256;
    private static final int REQUESTS_AT_ONCE = 16;

    private final RequestPairs pairs;
    /** [layer][pair]. */
    private final double[][] dots;
    /** [layer][request]. */
    private final double[][] squares;

    private LayerProducts(RequestPairs pairs, double[][] dots, double[][] squares) {
        this.pairs = pairs;
        this.dots = dots;
        this.squares = squares;
    }

    /**
     * @param spec representation and IDF; its mask is not looked at
     * @param prefill the prompt counts of all requests that the pairs are of
     * @throws InvalidInputException naming {@code pairs} if they are of another number of requests or need more memory than
     *     the JVM may take, or {@code counts[r]} if a request has another shape than the spec's
     */
    public static LayerProducts of(
            SignatureSpec spec, List<ExpertCounts> prefill, RequestPairs pairs, Parallel parallel) {
        requireRequests(pairs, prefill.size());
        requireMemory(pairs.count(), spec.layers());
        return of(ValueRows.of(spec, prefill), pairs, parallel);
    }

    /**
     * Of values that are no counts.
     *
     * @param values [L*E] of each request that the pairs are of, layer-major
     * @throws InvalidInputException as the other form does, naming {@code values[r]} if a request has not L*E of them
     */
    public static LayerProducts ofValues(
            int layers, int experts, List<float[]> values, RequestPairs pairs, Parallel parallel) {
        requireRequests(pairs, values.size());
        requireMemory(pairs.count(), layers);
        return of(ValueRows.of(layers, experts, values), pairs, parallel);
    }

    private static LayerProducts of(ValueRows rows, RequestPairs pairs, Parallel parallel) {
        int experts = rows.experts();
        double[][] squares = new double[rows.layers()][pairs.requests()];
        parallel.forEachRange(pairs.requests(), REQUESTS_AT_ONCE, (lane, from, to) -> {
            float[] buffer = rows.newBuffer();
            for (int r = from; r < to; r++) {
                float[] row = rows.row(r, buffer);
                for (int layer = 0; layer < squares.length; layer++) {
                    squares[layer][r] = VectorMath.dot(row, layer * experts, row, layer * experts, experts);
                }
            }
        });
        double[][] dots = new double[rows.layers()][pairs.count()];
        parallel.forEachRange(pairs.count(), PAIRS_AT_ONCE, (lane, from, to) -> {
            float[] firstBuffer = rows.newBuffer();
            float[] secondBuffer = rows.newBuffer();
            for (int p = from; p < to; p++) {
                float[] first = rows.row(pairs.first(p), firstBuffer);
                float[] second = rows.row(pairs.second(p), secondBuffer);
                for (int layer = 0; layer < dots.length; layer++) {
                    dots[layer][p] = VectorMath.dot(first, layer * experts, second, layer * experts, experts);
                }
            }
        });
        return new LayerProducts(pairs, dots, squares);
    }

    public RequestPairs pairs() {
        return pairs;
    }

    /** L. */
    public int layers() {
        return dots.length;
    }

    /** The dot products of all pairs in a layer; only to be read. */
    double[] dots(int layer) {
        return dots[layer];
    }

    /** The squared lengths of all requests in a layer; only to be read. */
    double[] squares(int layer) {
        return squares[layer];
    }

    static void requireRequests(RequestPairs pairs, int requests) {
        if (pairs.requests() != requests) {
            throw new InvalidInputException(
                    "pairs", "are of " + pairs.requests() + " requests but there are " + requests);
        }
    }

    private static void requireMemory(int pairs, int layers) {
        long bytes = (long) pairs * layers * Double.BYTES;
        long limit = Runtime.getRuntime().maxMemory() / 2;
        if (bytes > limit) {
            throw new InvalidInputException(
                    "pairs",
                    "the products of " + pairs + " pairs over " + layers + " layers take " + (bytes >> 20)
                            + " MiB, more than half of the memory there is (" + (limit >> 20)
                            + " MiB); ask for fewer pairs");
        }
    }
}
