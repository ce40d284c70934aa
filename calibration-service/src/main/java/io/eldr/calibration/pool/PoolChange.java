package io.eldr.calibration.pool;

import io.eldr.db.pool.Retention;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What is to change in a pool; what is absent stays.
 *
 * @param dialect what the engines understand
 * @param engineModel JSON null passes on the name that the client asks for
 * @param adapters names of adapters that engines serve beside the model
 * @param minCandidates JSON null leaves it to the policy again
 * @param hot which decoders leave the band for their load; JSON null: none
 * @param shadow a policy that decides beside the live one; JSON null: none
 * @param switchback two policies that take turns in place of {@code policy}; JSON null: none
 * @param mode {@code automatic}: a refit is activated when it is published; {@code propose}: it waits for somebody
 * @param pinned true: nothing is refitted or activated by itself until it is false again
 * @param schedule when the pool is refitted by itself
 * @param retention which samples are kept
 * @param sampling which live requests become samples
 */
record PoolChange(
        @Schema(maxLength = 200) Optional<String> revision,
        Optional<List<String>> aliases,

        @Schema(allowableValues = {"vllm", "prefill-first"}) Optional<String> dialect,

        @Schema(
                types = {"string", "null"},
                maxLength = 200,
                description =
                        "What engines call the model: other names but those of adapters are rewritten to it; null: names"
                                + " are passed on as they are")
        @Nullable
        JsonNode engineModel,

        Optional<List<String>> adapters,
        Optional<String> policy,

        @Schema(
                types = {"string", "number"},
                description = "auto: what the artifact recommends; else 0 to 2")
        Optional<Tau> tau,

        @Schema(
                types = {"integer", "null"},
                minimum = "1")
        @Nullable
        JsonNode minCandidates,

        @Schema(
                types = {"object", "null"},
                description =
                        "Decoders with factor (default 1.5) times the mean load and minExcess (4) requests above it,"
                                + " or more than kvCap (0.95) of their KV cache in use, leave the band; null: none do",
                example = "{\"factor\":1.5,\"minExcess\":4,\"kvCap\":0.95}")
        @Nullable
        JsonNode hot,

        @Schema(
                types = {"object", "null"},
                description = "A policy that decides beside the live one and reserves nothing; null: none",
                example = "{\"policy\":\"eldr\",\"tau\":0.2}")
        @Nullable
        JsonNode shadow,

        @Schema(
                types = {"object", "null"},
                description = "Two policies that take turns of so many minutes by UTC, in place of policy; null: none",
                example = "{\"policies\":[\"eldr\",\"jsq\"],\"minutes\":30}")
        @Nullable
        JsonNode switchback,

        @Schema(allowableValues = {"automatic", "propose"}) Optional<String> mode,

        Optional<Boolean> pinned,
        Optional<ScheduleChange> schedule,
        Optional<RetentionChange> retention,
        Optional<SamplingView> sampling) {

    /** The first field that is more than how requests are routed, and so not for operators; empty if there is none. */
    Optional<String> firstForAdmins() {
        Map<String, Boolean> present = new LinkedHashMap<>();
        present.put("revision", revision.isPresent());
        present.put("aliases", aliases.isPresent());
        present.put("dialect", dialect.isPresent());
        present.put("engineModel", engineModel != null);
        present.put("adapters", adapters.isPresent());
        present.put("mode", mode.isPresent());
        present.put("pinned", pinned.isPresent());
        present.put("schedule", schedule.isPresent());
        present.put("retention", retention.isPresent());
        present.put("sampling", sampling.isPresent());
        return present.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /**
     * Which samples are kept; what is absent stays.
     *
     * @param maxSamples so many of the newest; JSON null leaves it to the service
     * @param maxAgeDays none that came in earlier; JSON null leaves it to the service
     */
    record RetentionChange(
            @Schema(
                    types = {"integer", "null"},
                    minimum = "1",
                    maximum = "100000000")
            @Nullable
            JsonNode maxSamples,

            @Schema(
                    types = {"integer", "null"},
                    minimum = "1",
                    maximum = "36500")
            @Nullable
            JsonNode maxAgeDays) {
        /** What a pool keeps after the change. */
        Retention applyTo(Retention before) {
            return new Retention(
                    maxSamples == null ? before.maxSamples() : WholeNumber.orNull("retention.maxSamples", maxSamples),
                    maxAgeDays == null ? before.maxAgeDays() : WholeNumber.orNull("retention.maxAgeDays", maxAgeDays));
        }
    }
}
