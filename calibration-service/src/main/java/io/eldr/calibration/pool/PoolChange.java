package io.eldr.calibration.pool;

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
        Optional<ScheduleChange> schedule) {}
