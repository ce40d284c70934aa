package io.eldr.calibration.evaluation;

import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Optional;

/**
 * The wish for an evaluation. Every policy is simulated at every rate and number of decoders, eldr with every tau.
 *
 * @param version the artifact version to evaluate; the active one if absent. It takes part where {@code decoders} is one
 *     number, and that of its clusters; for any other number artifacts are fitted to one half of the samples
 * @param policies to compare; all that there are if absent
 * @param tau widths of eldr's band, or auto for what the artifact recommends; auto if absent
 * @param decoders K: numbers of decoders to compare; that of the version's clusters if absent
 * @param prefillers how many prefill workers, as many as decoders need at most if absent: 8
 * @param rates requests a second to compare; an arrival trace as recorded if absent, 20 for poisson
 * @param arrivals {@code poisson}, or the name of an arrival trace in the folder that the service is configured with;
 *     poisson if absent
 * @param mix of labels: recorded, uniform, zipf:s or top2:x; recorded if absent
 * @param outputTokens of each answer under poisson; 512 if absent
 * @param promptTokens of each prompt under poisson; as sampled if absent
 * @param requests in each run; 10,000 if absent
 * @param routers that share the pool; 1 if absent
 * @param seeds how many times everything is repeated; 3 if absent
 * @param seed the first of them; 1 if absent
 */
record EvaluationRequest(
        @Schema(minimum = "1") Optional<Integer> version,
        Optional<List<String>> policies,

        @ArraySchema(
                schema =
                        @Schema(
                                types = {"number", "string"},
                                description = "a number of at least 0, or auto"))
        Optional<List<TauSetting>> tau,

        Optional<List<Integer>> decoders,
        @Schema(minimum = "1", maximum = "4096") Optional<Integer> prefillers,
        Optional<List<Double>> rates,
        Optional<String> arrivals,
        Optional<String> mix,
        @Schema(minimum = "1") Optional<Integer> outputTokens,
        @Schema(minimum = "1") Optional<Integer> promptTokens,
        @Schema(minimum = "10", maximum = "1000000") Optional<Integer> requests,
        @Schema(minimum = "1", maximum = "256") Optional<Integer> routers,
        @Schema(minimum = "1", maximum = "100") Optional<Integer> seeds,
        Optional<Long> seed) {
    static final EvaluationRequest EMPTY = new EvaluationRequest(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
}
