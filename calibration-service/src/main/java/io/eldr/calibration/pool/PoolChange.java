package io.eldr.calibration.pool;

import io.eldr.db.pool.Retention;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What is to change in a pool; what is absent stays.
 *
 * @param minCandidates JSON null leaves it to the policy again
 * @param mode {@code automatic}: a refit is activated when it is published; {@code propose}: it waits for somebody
 * @param pinned true: nothing is refitted or activated by itself until it is false again
 * @param schedule when the pool is refitted by itself
 * @param retention which samples are kept
 * @param sampling which live requests become samples
 */
record PoolChange(
        @Schema(maxLength = 200) Optional<String> revision,
        Optional<List<String>> aliases,
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

        @Schema(allowableValues = {"automatic", "propose"}) Optional<String> mode,

        Optional<Boolean> pinned,
        Optional<ScheduleChange> schedule,
        Optional<RetentionChange> retention,
        Optional<SamplingView> sampling) {

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
