package io.eldr.core.signature;

import java.util.Arrays;

/**
 * Which experts each of a text's tokens selected: [tokens, L, k], the form in which engines return routed experts. Layers
 * without experts, which engines fill with zeros, are left out.
 */
public final class RoutedRows {
    private final Geometry geometry;
    private final int tokens;
    /** Expert ids, token-major; E is at most 4,096. */
    private final char[] experts;

    private RoutedRows(Geometry geometry, int tokens, char[] experts) {
        this.geometry = geometry;
        this.tokens = tokens;
        this.experts = experts;
    }

    /** Reads a value of rows [tokens, layers, k] by its position. */
    @FunctionalInterface
    interface Values {
        long at(int index);
    }

    /**
     * Takes rows of as many layers as the engine counts. Where they are more than the model has layers of experts, those in
     * which every value is 0 are the dense ones: no token selects an expert twice, so with k of 2 or more they cannot be
     * mistaken.
     *
     * @param field the name to give to what was refused
     * @param layers how many layers the rows have
     * @throws InvalidInputException if the layers with experts are not the model's L, or a token does not select k distinct
     *     experts below E
     */
    static RoutedRows of(String field, Geometry geometry, int tokens, int layers, Values values) {
        int topK = geometry.topK();
        int[] sparse = layersWithExperts(field, geometry, tokens, layers, values);
        char[] experts = new char[Math.multiplyExact(Math.multiplyExact(tokens, sparse.length), topK)];
        int[] seenAt = new int[geometry.experts()];
        int row = 0;
        for (int token = 0; token < tokens; token++) {
            for (int layer : sparse) {
                row++;
                int first = (token * layers + layer) * topK;
                for (int rank = 0; rank < topK; rank++) {
                    long expert = values.at(first + rank);
                    if (expert < 0 || expert >= geometry.experts()) {
                        throw refused(field, token, layer, "names expert " + expert + " of " + geometry.experts());
                    }
                    if (seenAt[(int) expert] == row) {
                        throw refused(field, token, layer, "names expert " + expert + " twice");
                    }
                    seenAt[(int) expert] = row;
                    experts[(row - 1) * topK + rank] = (char) expert;
                }
            }
        }
        return new RoutedRows(geometry, tokens, experts);
    }

    private static int[] layersWithExperts(String field, Geometry geometry, int tokens, int layers, Values values) {
        int[] all = new int[layers];
        Arrays.setAll(all, layer -> layer);
        if (layers == geometry.layers()) {
            return all;
        }
        if (layers > geometry.layers() && geometry.topK() == 1) {
            throw new InvalidInputException(
                    field,
                    "has " + layers + " layers but the model has " + geometry.layers()
                            + " with experts, and with k = 1 the others cannot be told from expert 0");
        }
        int[] sparse = Arrays.stream(all)
                .filter(layer -> !isDense(layer, tokens, layers, geometry.topK(), values))
                .toArray();
        if (sparse.length != geometry.layers()) {
            throw new InvalidInputException(
                    field,
                    "has " + layers + " layers, " + sparse.length + " of them with experts, but the model has "
                            + geometry.layers());
        }
        return sparse;
    }

    private static boolean isDense(int layer, int tokens, int layers, int topK, Values values) {
        for (int token = 0; token < tokens; token++) {
            int first = (token * layers + layer) * topK;
            for (int i = first; i < first + topK; i++) {
                if (values.at(i) != 0) {
                    return false;
                }
            }
        }
        return true;
    }

    private static InvalidInputException refused(String field, int token, int layer, String what) {
        return new InvalidInputException(field, what + " at token " + token + ", layer " + layer);
    }

    /** How many tokens there are rows of. */
    public int tokens() {
        return tokens;
    }

    /**
     * The counts of the first tokens, which are the prompt's where an engine returns those of prompt and answer.
     *
     * @param field the name to give to what was refused
     * @throws InvalidInputException if there are fewer rows than that
     */
    public ExpertCounts firstTokens(String field, int count) {
        if (count > tokens) {
            throw new InvalidInputException(field, "has rows of " + tokens + " tokens but the prompt has " + count);
        }
        return counts(0, count);
    }

    /** The counts of the tokens from the one at {@code from} to the one before {@code to}. */
    public ExpertCounts counts(int from, int to) {
        if (from < 0 || from > to || to > tokens) {
            throw new IndexOutOfBoundsException("tokens " + from + " to " + to + " of " + tokens);
        }
        int perToken = geometry.layers() * geometry.topK();
        int[] cells = new int[geometry.cells()];
        for (int i = from * perToken; i < to * perToken; i++) {
            int layer = i % perToken / geometry.topK();
            cells[layer * geometry.experts() + experts[i]]++;
        }
        return ExpertCounts.adopt(geometry.layers(), geometry.experts(), cells);
    }
}
