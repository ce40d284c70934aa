package io.eldr.calibration.pool;

import io.eldr.calibration.web.Fields;
import io.eldr.core.signature.Geometry;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Optional;

/**
 * A pool that is to be made.
 *
 * @param model as the engines report it
 * @param aliases other names of the model that clients may ask for
 * @param dialect what the engines understand; {@code vllm} if absent
 * @param engineModel what engines call the model; absent: by whatever name the client asks for
 * @param adapters names of adapters that engines serve beside the model
 * @param layers L, experts E and topK k never change afterwards
 */
record NewPool(
        @Schema(requiredMode = Schema.RequiredMode.REQUIRED, pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,62}")
        Optional<String> name,

        @Schema(requiredMode = Schema.RequiredMode.REQUIRED, maxLength = 200)
        Optional<String> model,

        @Schema(maxLength = 200) Optional<String> revision,
        @Schema(requiredMode = Schema.RequiredMode.REQUIRED) Optional<Integer> layers,
        @Schema(requiredMode = Schema.RequiredMode.REQUIRED) Optional<Integer> experts,
        @Schema(requiredMode = Schema.RequiredMode.REQUIRED) Optional<Integer> topK,
        Optional<List<String>> aliases,

        @Schema(allowableValues = {"vllm", "prefill-first"}) Optional<String> dialect,

        @Schema(maxLength = 200) Optional<String> engineModel,
        Optional<List<String>> adapters,
        Optional<String> policy,

        @Schema(
                types = {"string", "number"},
                description = "auto: what the artifact recommends; else 0 to 2")
        Optional<Tau> tau,

        Optional<Integer> minCandidates) {
    Geometry geometry() {
        return new Geometry(
                Fields.required("layers", layers), Fields.required("experts", experts), Fields.required("topK", topK));
    }
}
