package io.eldr.core.quality;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.SignatureSpec;
import io.eldr.core.vector.Parallel;
import io.eldr.core.vector.VectorMath;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The quality of a signature on given requests: {@code rho = Spearman(cosdist(s_i, s_j), cosdist(p_i, p_j))} over pairs of
 * requests, where s are signatures and p the plain decode counts over all layers (ELDR paper, equation 1). The targets are
 * ranked once.
 *
 * <p>A zero vector has cosine 0 with everything. Ranks are taken of cosines instead of distances, which gives the same
 * rho, and of their float32 values, so that cosines that are equal but for the rounding of a sum are ties.
 */
public final class Rho {
    private static final int PAIRS_AT_ONCE = 256;

    private final RequestPairs pairs;
    private final Ranks target;

    private Rho(RequestPairs pairs, Ranks target) {
        this.pairs = pairs;
        this.target = target;
    }

    /**
     * @param decoded the decode counts of all requests that the pairs are of; at least one pair
     * @throws InvalidInputException naming {@code pairs} if there are none or they are of another number of requests, or
     *     {@code counts[r]} if the shapes differ
     */
    public static Rho against(List<ExpertCounts> decoded, RequestPairs pairs, Parallel parallel) {
        LayerProducts.requireRequests(pairs, decoded.size());
        if (pairs.count() == 0) {
            throw new InvalidInputException("pairs", "there are none: rho needs at least two requests");
        }
        int layers = decoded.getFirst().layers();
        int experts = decoded.getFirst().experts();
        SignatureSpec plain = SignatureSpec.count(layers, experts, LayerMask.all(layers));
        ValueRows rows = ValueRows.of(plain, decoded);
        double[] squares = new double[decoded.size()];
        parallel.forEachRange(squares.length, PAIRS_AT_ONCE, (lane, from, to) -> {
            float[] buffer = rows.newBuffer();
            for (int r = from; r < to; r++) {
                float[] row = rows.row(r, buffer);
                squares[r] = VectorMath.dot(row, row);
            }
        });
        double[] inverseNorms = new double[squares.length];
        Cosines.invertNorms(squares, inverseNorms);
        float[] cosines = new float[pairs.count()];
        parallel.forEachRange(cosines.length, PAIRS_AT_ONCE, (lane, from, to) -> {
            float[] firstBuffer = rows.newBuffer();
            float[] secondBuffer = rows.newBuffer();
            for (int p = from; p < to; p++) {
                int i = pairs.first(p);
                int j = pairs.second(p);
                double dot = VectorMath.dot(rows.row(i, firstBuffer), rows.row(j, secondBuffer));
                cosines[p] = (float) (dot * inverseNorms[i] * inverseNorms[j]);
            }
        });
        return new Rho(pairs, Ranks.of(cosines));
    }

    /**
     * Rho of the signatures that a mask makes.
     *
     * @param products of the same pairs
     * @return absent where all signatures, or all targets, are equally far apart
     */
    public OptionalDouble of(LayerProducts products, LayerMask mask) {
        Cosines cosines = new Cosines(products);
        int last = mask.size() - 1;
        for (int i = 0; i < last; i++) {
            cosines.add(mask.layer(i));
        }
        double rho = cosines.rhoWith(mask.layer(last), scratchFor(products));
        return Double.isNaN(rho) ? OptionalDouble.empty() : OptionalDouble.of(rho);
    }

    /** What one thread needs to compute rho from products. */
    Cosines.Scratch scratchFor(LayerProducts products) {
        if (products.pairs() != pairs) {
            throw new IllegalArgumentException("products are of other pairs than rho's targets");
        }
        return new Cosines.Scratch(pairs.requests(), new RankCorrelator(target));
    }
}
