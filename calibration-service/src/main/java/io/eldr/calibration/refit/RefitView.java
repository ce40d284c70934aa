package io.eldr.calibration.refit;

import io.eldr.calibration.web.Fields;
import io.eldr.db.refit.RefitRun;
import io.eldr.db.refit.RefitState;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A refit as the API shows it.
 *
 * @param progress of the whole, 0 to 1
 * @param why in words, where the trigger alone does not say it
 * @param requestedBy a user or a token's name; {@code schedule} where the service asked by itself
 * @param requestedThrough the service whose token was used on behalf of who requested it
 * @param attempts how often it was started; more than once after a crash
 * @param version what it published, if it succeeded
 * @param proposed whether its version waits to be approved: nobody decided yet, and no newer one was activated
 * @param reason why it was rejected, failed or was cancelled
 * @param report its figures; only where one refit is asked for
 */
public record RefitView(
        long id,
        String pool,
        RefitState state,
        Optional<String> stage,
        double progress,
        String trigger,
        Optional<String> why,
        boolean force,
        JsonNode options,
        String requestedBy,
        Optional<String> requestedThrough,
        int attempts,
        Instant createdAt,
        Optional<Instant> startedAt,
        Optional<Instant> finishedAt,
        Optional<Integer> version,
        boolean proposed,
        Optional<String> reason,
        Optional<JsonNode> report) {
    static RefitView of(String pool, RefitRun run, boolean proposed, JsonNode options, Optional<JsonNode> report) {
        return new RefitView(
                run.id(),
                pool,
                run.state(),
                run.stage(),
                run.progress(),
                Fields.word(run.trigger()),
                run.cause(),
                run.force(),
                options,
                run.requestedBy().name(),
                run.requestedBy().through(),
                run.attempts(),
                run.createdAt(),
                run.startedAt(),
                run.finishedAt(),
                run.version().isPresent() ? Optional.of(run.version().getAsInt()) : Optional.empty(),
                proposed,
                run.reason(),
                report);
    }
}
