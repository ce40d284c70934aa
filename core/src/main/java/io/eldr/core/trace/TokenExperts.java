package io.eldr.core.trace;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import java.util.Objects;

/**
 * The experts that each token of one request chose: [token][layer][rank] expert ids below E, k distinct ones in each
 * row. The prompt's tokens come first, then the decoded ones. A view on the trace's bytes.
 */
public final class TokenExperts implements Recording {
    private final byte[] ids;
    private final int base;
    private final int tokens;
    private final Geometry geometry;

    /** Adopts the array; the request's ids begin at {@code base}. */
    TokenExperts(byte[] ids, int base, int tokens, Geometry geometry) {
        this.ids = ids;
        this.base = base;
        this.tokens = tokens;
        this.geometry = geometry;
    }

    /** How many tokens are recorded: prompt and decoded ones together. */
    public int tokens() {
        return tokens;
    }

    public Geometry geometry() {
        return geometry;
    }

    /**
     * @param token 0 to tokens - 1
     * @param layer 0 to L - 1
     * @param rank 0 to k - 1; traces list the experts of a row by falling router logit where they know it
     * @return the expert's number in its layer, 0 to E - 1
     */
    public int expertAt(int token, int layer, int rank) {
        return ids[row(token, layer) + Objects.checkIndex(rank, geometry.topK())] & 0xFF;
    }

    /**
     * Sets the bits of the experts that a token chose in a layer: bit {@code e % 64} of {@code bits[offset + e / 64]}.
     * Bits that are set stay set, so that repeated calls make the union of a batch.
     */
    public void addTo(int token, int layer, long[] bits, int offset) {
        int row = row(token, layer);
        for (int i = row; i < row + geometry.topK(); i++) {
            int expert = ids[i] & 0xFF;
            bits[offset + (expert >> 6)] |= 1L << expert;
        }
    }

    /** The counts of the tokens from {@code from} to before {@code to}; every layer sums to (to - from) x k. */
    public ExpertCounts counts(int from, int to) {
        Objects.checkFromToIndex(from, to, tokens);
        int experts = geometry.experts();
        int topK = geometry.topK();
        int[] cells = new int[geometry.cells()];
        int position = base + from * geometry.layers() * topK;
        for (int token = from; token < to; token++) {
            for (int layer = 0; layer < geometry.layers(); layer++) {
                for (int rank = 0; rank < topK; rank++) {
                    cells[layer * experts + (ids[position++] & 0xFF)]++;
                }
            }
        }
        return ExpertCounts.of(geometry.layers(), experts, cells);
    }

    @Override
    public ExpertCounts prefill(int prefillTokens) {
        return counts(0, prefillTokens);
    }

    private int row(int token, int layer) {
        Objects.checkIndex(token, tokens);
        Objects.checkIndex(layer, geometry.layers());
        return base + (token * geometry.layers() + layer) * geometry.topK();
    }
}
