package io.eldr.core.trace;

import io.eldr.core.signature.Geometry;

/**
 * The experts that a few tokens of one request chose: for each token a set of (layer, expert) pairs as bits, bit
 * {@code expert % 64} of word {@code layer * ceil(E/64) + expert / 64}.
 */
public final class ExpertSets {
    private final long[][] tokens;

    /** Adopts the array: [token][{@link #words}]. */
    ExpertSets(long[][] tokens) {
        this.tokens = tokens;
    }

    /** How many words the set of one token takes. */
    public static int words(Geometry geometry) {
        return geometry.layers() * wordsOfLayer(geometry);
    }

    /** How many words one layer takes of it. */
    public static int wordsOfLayer(Geometry geometry) {
        return Math.ceilDiv(geometry.experts(), Long.SIZE);
    }

    public int tokens() {
        return tokens.length;
    }

    /** Copies the set of one token to {@code target[offset..]}. */
    public void copyTo(int token, long[] target, int offset) {
        System.arraycopy(tokens[token], 0, target, offset, tokens[token].length);
    }

    /**
     * Adds a token to the union of a batch.
     *
     * @param seen the pairs that some token of the batch chose; this one's are added
     * @param again those that more than one token chose; what this one repeats is added
     */
    public void addTo(int token, long[] seen, long[] again) {
        long[] bits = tokens[token];
        for (int i = 0; i < bits.length; i++) {
            again[i] |= seen[i] & bits[i];
            seen[i] |= bits[i];
        }
    }

    /** How many pairs of a token nobody else of its batch chose, after {@link #addTo} with every token of the batch. */
    public int alone(int token, long[] again) {
        long[] bits = tokens[token];
        int count = 0;
        for (int i = 0; i < bits.length; i++) {
            count += Long.bitCount(bits[i] & ~again[i]);
        }
        return count;
    }

    /** How many experts a token chose in a layer. */
    int experts(int token, int layer, Geometry geometry) {
        int words = wordsOfLayer(geometry);
        int count = 0;
        for (int i = layer * words; i < (layer + 1) * words; i++) {
            count += Long.bitCount(tokens[token][i]);
        }
        return count;
    }

    /** True if a token chose an expert. */
    boolean contains(int token, int layer, int expert, Geometry geometry) {
        return (tokens[token][layer * wordsOfLayer(geometry) + (expert >> 6)] >>> expert & 1) != 0;
    }
}
