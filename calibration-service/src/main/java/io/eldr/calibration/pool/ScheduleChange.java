package io.eldr.calibration.pool;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What is to change in when a pool is refitted by itself; what is absent stays.
 *
 * @param cron six fields, seconds first; JSON null: at no time
 * @param zone the time zone of the cron expression, UTC if none was ever given
 * @param afterSamples so many samples newer than the last refit ask for one; JSON null: any number does not
 * @param onDrift whether traffic that moved away from the active version asks for one
 * @param onTopology whether decoders that differ from those of the active version ask for one
 */
record ScheduleChange(
        @Schema(
                types = {"string", "null"},
                example = "0 0 3 * * *",
                maxLength = 200)
        @Nullable
        JsonNode cron,

        @Schema(example = "Europe/Berlin", maxLength = 64) Optional<String> zone,

        @Schema(
                types = {"integer", "null"},
                minimum = "1")
        @Nullable
        JsonNode afterSamples,

        Optional<Boolean> onDrift,
        Optional<Boolean> onTopology) {}
