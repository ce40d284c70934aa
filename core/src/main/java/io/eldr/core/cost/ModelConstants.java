package io.eldr.core.cost;

/**
 * Every constant of the model of a worker, with its source; {@link DecoderModel} has the formulas.
 *
 * <p>The shape of a step comes from Figure 2 of the ELDR paper: at batch 64 a MoE layer of Qwen3-30B-A3B on an MI300X takes
 * 4.7 times as long with 128 active experts as with 16, so its fixed part equals 14.27 experts: 10.4 for the layer and 0.06
 * for each of 64 requests. The scale comes from the paper's section 6: 22 % fewer distinct experts go with 26.8 ms becoming
 * 22.6 ms, so the experts are 19.1 ms of a step. U = 90 active experts in a layer, t0, prefill and handoff are assumptions:
 * whoever reports figures shows them at half and at twice the value too.
 *
 * @param name what a report calls this set
 * @param layers L, the model's MoE layers
 * @param experts E in each layer
 * @param expertMicros a: microseconds for the weights of one active expert in one layer
 * @param layerExperts what a layer costs before any expert is loaded, in experts (times a)
 * @param requestExperts what each request of the batch costs in each layer, in experts (times a)
 * @param stepMicros t0: microseconds of a step outside the MoE layers
 * @param kvTokenMicros c: microseconds of a step for each token of context in the batch
 * @param prefillMicros microseconds of a prefill before its first token
 * @param prefillTokenMicros microseconds for each token of the prompt that no cache holds
 * @param handoffMicros microseconds of a handoff of KV blocks before their first token
 * @param handoffTokenMicros microseconds for each token of the prompt
 * @param rankLayerMicros microseconds that expert parallelism adds to each layer
 * @param maxSequences how many requests a decoder runs at once
 * @param kvCapacityTokens how many tokens of context a worker's KV blocks hold
 */
public record ModelConstants(
        String name,
        int layers,
        int experts,
        double expertMicros,
        double layerExperts,
        double requestExperts,
        double stepMicros,
        double kvTokenMicros,
        double prefillMicros,
        double prefillTokenMicros,
        double handoffMicros,
        double handoffTokenMicros,
        double rankLayerMicros,
        int maxSequences,
        long kvCapacityTokens) {

    /**
     * Qwen3-30B-A3B in bfloat16 on one MI300X.
     *
     * <ul>
     *   <li>a = 4.4 us: 19.1 ms / (48 layers x 90 experts); the 9.44 MB of an expert at 2.1 TB/s, 40 % of the peak
     *   <li>10.4 and 0.06 experts: Figure 2, see above
     *   <li>t0 = 3.0 ms: 2.4 GB of attention and head weights take about 0.8 ms, the rest is launching and scheduling
     *   <li>c = 0.031 us: 96 KiB of KV a token at 3.2 TB/s
     *   <li>prefill = 25 ms + 20 us a token: it reads all experts, and 1,500 tokens take 55 ms of a TTFT of 69 ms
     *   <li>handoff = 2 ms + 2.8 us a token: 96 KiB at 35 GB/s
     *   <li>30 us a layer: the all-to-all of expert parallelism, an assumption
     *   <li>256 sequences: vLLM's default; 1.1 M tokens: 90 % of 192 GB less 61 GB of weights, at 96 KiB a token
     * </ul>
     */
    public static final ModelConstants QWEN3_30B_ON_MI300X = new ModelConstants(
            "Qwen3-30B-A3B on MI300X",
            48,
            128,
            4.4,
            10.4,
            0.06,
            3_000,
            0.031,
            25_000,
            20,
            2_000,
            2.8,
            30,
            256,
            1_100_000);

    /** The weights of one expert of Qwen3-30B-A3B: 3 x 2,048 x 768 values of 2 bytes. */
    public static final double QWEN3_EXPERT_BYTES = 9.44e6;

    /** The KV of one token of Qwen3-30B-A3B: 48 layers x 2 x 4 heads x 128 values of 2 bytes. */
    public static final double QWEN3_KV_BYTES = 98_304;

    /** @throws IllegalArgumentException naming a constant that is negative, not finite, or no size of a model */
    public ModelConstants {
        requirePositive("layers", layers);
        requirePositive("experts", experts);
        requirePositive("maxSequences", maxSequences);
        requirePositive("kvCapacityTokens", kvCapacityTokens);
        requireCost("expertMicros", expertMicros);
        requireCost("layerExperts", layerExperts);
        requireCost("requestExperts", requestExperts);
        requireCost("stepMicros", stepMicros);
        requireCost("kvTokenMicros", kvTokenMicros);
        requireCost("prefillMicros", prefillMicros);
        requireCost("prefillTokenMicros", prefillTokenMicros);
        requireCost("handoffMicros", handoffMicros);
        requireCost("handoffTokenMicros", handoffTokenMicros);
        requireCost("rankLayerMicros", rankLayerMicros);
    }

    /**
     * Another model on the same machine, scaled by its bytes alone: an expert costs what its weights weigh, a token of
     * context what its KV weighs. Everything else stays Qwen's.
     *
     * @param expertBytes the weights of one expert in one layer
     * @param kvBytes the KV of one token over all layers
     */
    public static ModelConstants byBytes(String name, int layers, int experts, double expertBytes, double kvBytes) {
        ModelConstants qwen = QWEN3_30B_ON_MI300X;
        double kv = kvBytes / QWEN3_KV_BYTES;
        return new ModelConstants(
                name,
                layers,
                experts,
                qwen.expertMicros * expertBytes / QWEN3_EXPERT_BYTES,
                qwen.layerExperts,
                qwen.requestExperts,
                qwen.stepMicros,
                qwen.kvTokenMicros * kv,
                qwen.prefillMicros,
                qwen.prefillTokenMicros,
                qwen.handoffMicros,
                qwen.handoffTokenMicros * kv,
                qwen.rankLayerMicros,
                qwen.maxSequences,
                Math.max(1, (long) (qwen.kvCapacityTokens / kv)));
    }

    /**
     * A small model's routing at Qwen's scale: a step takes as long as Qwen's with the same share U/E of the experts active,
     * whatever L and E. A report that uses it says 'scaled to Qwen'.
     */
    public static ModelConstants scaledToQwen(int layers, int experts) {
        ModelConstants qwen = QWEN3_30B_ON_MI300X;
        double cells = (double) qwen.layers * qwen.experts / ((double) layers * experts);
        double share = (double) experts / qwen.experts;
        return new ModelConstants(
                layers + " x " + experts + " scaled to " + qwen.name,
                layers,
                experts,
                qwen.expertMicros * cells,
                qwen.layerExperts * share,
                qwen.requestExperts * share,
                qwen.stepMicros,
                qwen.kvTokenMicros,
                qwen.prefillMicros,
                qwen.prefillTokenMicros,
                qwen.handoffMicros,
                qwen.handoffTokenMicros,
                qwen.rankLayerMicros * qwen.layers / layers,
                qwen.maxSequences,
                qwen.kvCapacityTokens);
    }

    /**
     * The same with assumptions multiplied, for reports that show how much hangs on them.
     *
     * @param stepFactor of t0
     * @param kvTokenFactor of c
     * @param unionFactor of U, the active experts in a layer that the measured 19.1 ms are laid upon. The more there were, the
     *     less each of them costs: a is divided by it, and so is what a layer costs besides, which is counted in experts
     */
    public ModelConstants withAssumptions(double stepFactor, double kvTokenFactor, double unionFactor) {
        return new ModelConstants(
                name,
                layers,
                experts,
                expertMicros / unionFactor,
                layerExperts,
                requestExperts,
                stepMicros * stepFactor,
                kvTokenMicros * kvTokenFactor,
                prefillMicros,
                prefillTokenMicros,
                handoffMicros,
                handoffTokenMicros,
                rankLayerMicros,
                maxSequences,
                kvCapacityTokens);
    }

    private static void requirePositive(String constant, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(constant + " must be at least 1 but is " + value);
        }
    }

    private static void requireCost(String constant, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(constant + " must be finite and not negative but is " + value);
        }
    }
}
