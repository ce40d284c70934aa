package io.eldr.calibration.evaluation;

import io.eldr.db.evaluation.EvaluationRun;
import io.eldr.db.evaluation.EvaluationState;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An evaluation as the API shows it.
 *
 * @param stage {@code read}, {@code fit} or {@code simulate}
 * @param progress of the whole, 0 to 1
 * @param options what was asked for, with what was absent filled in
 * @param requestedBy a user or a token's name
 * @param requestedThrough the service whose token was used on behalf of who requested it
 * @param attempts how often it was started; more than once after a crash
 * @param reason why it failed or was cancelled
 * @param report its figures, {@code runs} as {@code ./eldr simulate} prints them; only where one evaluation is asked for
 */
record EvaluationView(
        long id,
        String pool,
        EvaluationState state,
        Optional<String> stage,
        double progress,
        EvaluationOptions options,
        String requestedBy,
        Optional<String> requestedThrough,
        int attempts,
        Instant createdAt,
        Optional<Instant> startedAt,
        Optional<Instant> finishedAt,
        Optional<String> reason,

        @Schema(
                description =
                        "an object with the list runs, one entry for each policy, tau, number of decoders and rate")
        Optional<JsonNode> report) {
    static EvaluationView brief(String pool, EvaluationRun run, JsonMapper json) {
        return of(pool, run, json, Optional.empty());
    }

    static EvaluationView whole(String pool, EvaluationRun run, JsonMapper json) {
        return of(pool, run, json, run.report().map(json::readTree));
    }

    private static EvaluationView of(String pool, EvaluationRun run, JsonMapper json, Optional<JsonNode> report) {
        return new EvaluationView(
                run.id(),
                pool,
                run.state(),
                run.stage(),
                run.progress(),
                json.readValue(run.options(), EvaluationOptions.class),
                run.requestedBy().name(),
                run.requestedBy().through(),
                run.attempts(),
                run.createdAt(),
                run.startedAt(),
                run.finishedAt(),
                run.reason(),
                report);
    }
}
