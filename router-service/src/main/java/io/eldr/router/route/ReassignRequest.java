package io.eldr.router.route;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Which decoder failed. */
@Schema(description = "Which decoder failed. Unknown fields are refused.")
record ReassignRequest(
        @Schema(
                description = "The decoder that the reservation is on, by id",
                requiredMode = Schema.RequiredMode.REQUIRED)
        @Nullable
        String failed) {

    String checkedFailed() {
        return RouteCommand.slot("failed", RouteCommand.required("failed", failed));
    }
}
