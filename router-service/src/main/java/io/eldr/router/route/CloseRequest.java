package io.eldr.router.route;

import io.eldr.core.load.Outcome;
import io.eldr.core.signature.InvalidInputException;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** How a request ended. */
@Schema(description = "How a request ended. Unknown fields are refused.")
record CloseRequest(
        @Schema(
                description = "Only decoderFailed counts against the decoder",
                requiredMode = Schema.RequiredMode.REQUIRED,
                allowableValues = {"completed", "aborted", "clientError", "decoderFailed", "timeout"})
        @Nullable
        String outcome,

        @Schema(description = "Tokens decoded, 0 or more") @Nullable
        Integer decodeTokens,

        @Schema(
                description =
                        "Expert counts of the decoded tokens, or of all but the first, in exactly one form. They become "
                                + "part of a sample where the request is among the pool's sampling.rate")
        RouteRequest.@Nullable SignatureBody decodeCounts,

        @Schema(description = "Mean time per output token in milliseconds, 0 or more") @Nullable
        Double tpotMs) {

    /** With nothing but an outcome. */
    static CloseRequest of(Outcome outcome) {
        return new CloseRequest(outcome.id(), null, null, null);
    }

    /** The outcome, once all fields were found good. */
    Outcome checked() {
        Outcome checked = Outcome.of("outcome", RouteCommand.required("outcome", outcome));
        if (decodeTokens != null && decodeTokens < 0) {
            throw new InvalidInputException("decodeTokens", "must be at least 0 but is " + decodeTokens);
        }
        if (tpotMs != null && !(tpotMs >= 0 && tpotMs <= MAX_TPOT_MILLIS)) {
            throw new InvalidInputException("tpotMs", "must be between 0 and " + MAX_TPOT_MILLIS + " but is " + tpotMs);
        }
        return checked;
    }

    private static final double MAX_TPOT_MILLIS = 1e9;
}
