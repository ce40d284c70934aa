package io.eldr.core.signature;

/**
 * The wire form {@code prompt_routed_experts} of vLLM 0.21: nested lists [tokens][L][k] of expert ids, layers with experts
 * only.
 */
public final class NestedForm {
    private NestedForm() {}

    /**
     * @param field the name to give to what was refused, for example {@code signature.prompt_routed_experts}
     * @throws InvalidInputException if a token has not L layers or a layer not k ids, or the ids do not suit the model
     */
    public static RoutedRows read(String field, int[][][] rows, Geometry geometry) {
        int topK = geometry.topK();
        int perToken = geometry.layers() * topK;
        for (int token = 0; token < rows.length; token++) {
            requireLength(field + "[" + token + "]", rows[token].length, geometry.layers(), "layers");
            for (int layer = 0; layer < rows[token].length; layer++) {
                requireLength(field + "[" + token + "][" + layer + "]", rows[token][layer].length, topK, "experts");
            }
        }
        return RoutedRows.of(
                field,
                geometry,
                rows.length,
                geometry.layers(),
                i -> rows[i / perToken][i % perToken / topK][i % topK]);
    }

    private static void requireLength(String field, int length, int expected, String what) {
        if (length != expected) {
            throw new InvalidInputException(field, "has " + length + " " + what + " instead of " + expected);
        }
    }
}
