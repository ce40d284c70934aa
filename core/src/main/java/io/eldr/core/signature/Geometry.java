package io.eldr.core.signature;

/**
 * The shape of a model's routing.
 *
 * @param layers L, the number of MoE layers, 1 to 1,024
 * @param experts E, the number of routed experts in each of them, 1 to 4,096
 * @param topK k, how many experts each token selects in each layer, 1 to E
 */
public record Geometry(int layers, int experts, int topK) {
    public static final int MAX_LAYERS = 1_024;
    public static final int MAX_EXPERTS = 4_096;

    /** @throws InvalidInputException naming {@code layers}, {@code experts} or {@code topK} */
    public Geometry {
        requireRange("layers", layers, MAX_LAYERS);
        requireRange("experts", experts, MAX_EXPERTS);
        requireRange("topK", topK, experts);
    }

    /** L*E, the number of cells of a count matrix. */
    public int cells() {
        return layers * experts;
    }

    private static void requireRange(String field, int value, int max) {
        if (value < 1 || value > max) {
            throw new InvalidInputException(field, "must be between 1 and " + max + " but is " + value);
        }
    }
}
