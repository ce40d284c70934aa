package io.eldr.calibration.refit;

import io.eldr.calibration.web.Fields;
import io.eldr.db.refit.RefitRun;
import io.eldr.db.refit.RefitState;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A refit as the API shows it.
 *
 * @param progress of the whole, 0 to 1
 * @param requestedThrough the service whose token was used on behalf of who requested it
 * @param attempts how often it was started; more than once after a crash
 * @param version what it published, if it succeeded
 * @param reason why it was rejected, failed or was cancelled
 * @param report its figures; only where one refit is asked for
 */
record RefitView(
        long id,
        String pool,
        RefitState state,
        Optional<String> stage,
        double progress,
        String trigger,
        boolean force,
        JsonNode options,
        String requestedBy,
        Optional<String> requestedThrough,
        int attempts,
        Instant createdAt,
        Optional<Instant> startedAt,
        Optional<Instant> finishedAt,
        Optional<Integer> version,
        Optional<String> reason,
        Optional<JsonNode> report) {
    static RefitView brief(String pool, RefitRun run, JsonMapper json) {
        return of(pool, run, json, Optional.empty());
    }

    static RefitView whole(String pool, RefitRun run, JsonMapper json) {
        return of(pool, run, json, run.report().map(json::readTree));
    }

    private static RefitView of(String pool, RefitRun run, JsonMapper json, Optional<JsonNode> report) {
        return new RefitView(
                run.id(),
                pool,
                run.state(),
                run.stage(),
                run.progress(),
                Fields.word(run.trigger()),
                run.force(),
                json.readTree(run.options()),
                run.requestedBy().name(),
                run.requestedBy().through(),
                run.attempts(),
                run.createdAt(),
                run.startedAt(),
                run.finishedAt(),
                run.version().isPresent() ? Optional.of(run.version().getAsInt()) : Optional.empty(),
                run.reason(),
                report);
    }
}
