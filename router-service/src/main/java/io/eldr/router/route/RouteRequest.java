package io.eldr.router.route;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JSON body of a request for a decision. Fields that are absent or null are not set. */
@Schema(description = "A request to be placed. Unknown fields are refused.")
record RouteRequest(
        @Schema(description = "The pool to decode in", requiredMode = Schema.RequiredMode.REQUIRED) @Nullable
        String pool,

        @Schema(
                description = "The request's name, 1 to 200 characters; while its reservation is open, the same name "
                        + "in the same pool gets the same answer from the same router",
                requiredMode = Schema.RequiredMode.REQUIRED)
        @Nullable
        String requestId,

        @Schema(description = "Prompt tokens, at least 1", requiredMode = Schema.RequiredMode.REQUIRED) @Nullable
        Integer promptTokens,

        @Schema(description = "The request's domain, up to 200 characters") @Nullable
        String label,

        @Schema(description = "The only decoders it may go to, up to 1,024") @Nullable
        List<String> candidates,

        @Schema(description = "Decoders it must not go to, up to 1,024") @Nullable
        List<String> exclude,

        @Schema(description = "Decide without opening a reservation", defaultValue = "false") @Nullable
        Boolean dryRun,

        @Schema(description = "How long the reservation lives without being closed, 1 to 600", defaultValue = "60")
        @Nullable
        Integer leaseSeconds,

        @Schema(description = "Expert counts of the prompt in exactly one form; absent: the least loaded is chosen")
        @Nullable
        SignatureBody signature) {

    /** Expert counts in one of the wire forms. */
    @Schema(name = "Signature", description = "Exactly one of its fields")
    record SignatureBody(
            @Schema(
                    description =
                            "Base64 of little-endian int16 [L,E], layer-major, as the authors' vLLM fork sends it")
            @Nullable
            String eldr_sig,

            @Nullable EldrBody eldr,

            @Schema(
                    description = "Base64 of a .npy file of integers (tokens, layers, k), as vLLM sends it; or of "
                            + "little-endian int32 [tokens,L,k], as SGLang does. The prompt's rows come first")
            @Nullable
            String routed_experts,

            @Schema(description = "Expert ids [tokens][L][k], as vLLM 0.21 sends them") @Nullable
            List<int[][]> prompt_routed_experts,

            @Schema(description = "The counts of all KV blocks of the prompt, which are summed") @Nullable
            List<BlockBody> blocks) {}

    /** The counts of one KV block. */
    @Schema(name = "BlockCounts")
    record BlockBody(
            @Schema(description = "Tells the block from the others of its prompt") @Nullable
            String hash,

            @Schema(description = "Base64 of uint8 [L,E], layer-major, each below 255") @Nullable
            String counts) {}

    /** The wire form {@code eldr}. */
    @Schema(name = "EldrCounts", description = "Expert counts with their shape")
    record EldrBody(
            @Schema(description = "Version of the form", allowableValues = "1") @Nullable
            Integer v,

            @Schema(description = "L, as the pool has it") @Nullable
            Integer layers,

            @Schema(description = "E, as the pool has it") @Nullable
            Integer experts,

            @Schema(description = "Tokens counted; each layer sums to tokens x k") @Nullable
            Long tokens,

            @Schema(allowableValues = {"u16", "u32"}) @Nullable
            String dtype,

            @Schema(description = "Base64 of the little-endian unsigned values [L,E], layer-major") @Nullable
            String counts) {}
}
