package io.eldr.router.intent;

import io.eldr.core.artifact.ModelIdentity;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * A pool as the operator wants it.
 *
 * @param id its key in Postgres; a pool that was deleted and made again has another one
 * @param model the model it serves; an empty revision leaves it open
 * @param tau the width of the locality band; empty leaves it to the artifact
 * @param minCandidates the smallest band; empty leaves it to the policy
 * @param workers by slot, in name order
 * @param activation empty while no artifact was activated
 */
public record PoolIntent(
        long id,
        String name,
        ModelIdentity model,
        String policy,
        OptionalDouble tau,
        OptionalInt minCandidates,
        List<WorkerIntent> workers,
        Optional<Activation> activation) {
    public PoolIntent {
        workers = List.copyOf(workers);
    }
}
