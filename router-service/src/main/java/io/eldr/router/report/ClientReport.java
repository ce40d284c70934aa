package io.eldr.router.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.eldr.core.signature.InvalidInputException;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** What one client measured of its own requests in one pool. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(
        description = "What a client measured of its own requests; times in milliseconds. Absent is what it does not "
                + "know. Unknown fields are refused.")
record ClientReport(
        @Schema(description = "Over how many of the last seconds the figures are, 1 to 86,400") @Nullable
        Integer windowSeconds,

        @Schema(description = "Requests that were answered in full since the client started") @Nullable
        Long completed,

        @Schema(description = "Requests that failed since then") @Nullable
        Long failed,

        @Schema(description = "Requests that run now") @Nullable
        Integer inFlight,

        @Schema(description = "Mean time per output token of the median request") @Nullable
        Double tpotP50Ms,

        @Schema(description = "Of the slowest in a hundred") @Nullable
        Double tpotP99Ms,

        @Schema(description = "Distinct experts that a decode step loaded, mean over layers") @Nullable
        Double activeExperts,

        @Schema(description = "Requests in a decode step, mean over steps") @Nullable
        Double batch,

        @Schema(description = "What a person has to know of these figures, at most 300 characters") @Nullable
        String note) {

    private static final int MAX_WINDOW_SECONDS = 86_400;
    private static final double MAX_FIGURE = 1e9;
    private static final int MAX_NOTE = 300;

    /** @throws InvalidInputException naming the field that is no such figure */
    void check() {
        requireRange("windowSeconds", windowSeconds, 1, MAX_WINDOW_SECONDS);
        requireRange("completed", completed, 0, Long.MAX_VALUE);
        requireRange("failed", failed, 0, Long.MAX_VALUE);
        requireRange("inFlight", inFlight, 0, Integer.MAX_VALUE);
        requireFigure("tpotP50Ms", tpotP50Ms);
        requireFigure("tpotP99Ms", tpotP99Ms);
        requireFigure("activeExperts", activeExperts);
        requireFigure("batch", batch);
        if (note != null && note.length() > MAX_NOTE) {
            throw new InvalidInputException("note", "must have at most " + MAX_NOTE + " characters");
        }
    }

    private static void requireRange(String field, @Nullable Number value, long least, long most) {
        if (value != null && (value.longValue() < least || value.longValue() > most)) {
            throw new InvalidInputException(field, "must be between " + least + " and " + most + " but is " + value);
        }
    }

    private static void requireFigure(String field, @Nullable Double value) {
        if (value != null && !(value >= 0 && value <= MAX_FIGURE)) {
            throw new InvalidInputException(field, "must be between 0 and " + MAX_FIGURE + " but is " + value);
        }
    }
}
