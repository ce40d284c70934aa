package io.eldr.calibration.refit;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The wish for a refit; what is absent is left to the data.
 *
 * @param representation {@code auto}: the one with the highest rho
 * @param seed of everything random in the fit, 1 if absent
 * @param holdOut the share of samples kept for choices and again for judging, 0.2 if absent
 * @param force publishes whatever the gate says, and although nothing is new; only for admins
 * @param trigger {@code manual} if absent; {@code topology}: the decoders changed. Any number of routers that see it at once
 *     ask for one refit, which takes no options
 */
record RefitRequest(
        @Schema(allowableValues = {"auto", "count", "count_idf", "binary"})
        Optional<String> representation,

        @Schema(
                types = {"string", "array"},
                description = "auto, all, or a list of layers")
        Optional<MaskSetting> mask,

        Optional<Long> seed,

        @Schema(
                types = {"integer", "string"},
                description = "a number of random pairs, or all")
        Optional<PairsSetting> pairs,

        @Schema(minimum = "0", maximum = "0.4") Optional<Double> holdOut,

        Optional<Boolean> force,

        @Schema(allowableValues = {"manual", "topology"}) Optional<String> trigger) {
    static final RefitRequest EMPTY = new RefitRequest(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    /** The first option that somebody set, by its name. */
    Optional<String> firstOption() {
        Map<String, Optional<?>> options = new LinkedHashMap<>();
        options.put("representation", representation);
        options.put("mask", mask);
        options.put("seed", seed);
        options.put("pairs", pairs);
        options.put("holdOut", holdOut);
        options.put("force", force);
        return options.entrySet().stream()
                .filter(option -> option.getValue().isPresent())
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
