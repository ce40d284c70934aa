package io.eldr.admin.live;

import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a page shows when it is opened: what is now, and what was before. */
@Schema(description = "What is now, and what was in the last quarter of an hour")
record Overview(
        LiveState live, @Schema(description = "By pool") List<PoolHistory> series) {

    /** Some figures of a pool, the same number of each; null where one was not known. */
    @Schema(description = "Figures of a pool as they were, oldest first; null where one was not known")
    record PoolHistory(
            String pool,

            @Schema(description = "Seconds since 1970") List<Long> at,

            @Schema(description = "The mean where no median is known")
            @ArraySchema(schema = @Schema(types = {"number", "null"}))
            List<@Nullable Double> tpotP50Ms,

            @ArraySchema(schema = @Schema(types = {"number", "null"}))
            List<@Nullable Double> tpotP99Ms,

            @ArraySchema(schema = @Schema(types = {"number", "null"}))
            List<@Nullable Double> activeExperts,

            @ArraySchema(schema = @Schema(types = {"number", "null"}))
            List<@Nullable Double> decisionsPerSecond,

            @ArraySchema(schema = @Schema(types = {"number", "null"}))
            List<@Nullable Double> spillRate) {}
}
