package io.eldr.router.intent;

import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.routing.HotRule;
import io.eldr.core.routing.ShadowRule;
import io.eldr.core.routing.SwitchbackRule;
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
 * @param hot which decoders leave the band for their load; empty: none
 * @param shadow the policy that decides beside the live one; empty: none
 * @param switchback the policies that take turns in place of {@code policy}; empty: none
 * @param names other names of the model; not in what earlier releases kept on disk
 * @param samplingRate the share of its requests that become samples, 0 to 1; not in what earlier releases kept on disk
 * @param engineSettings how engines are spoken to; not in what earlier releases kept on disk
 */
public record PoolIntent(
        long id,
        String name,
        ModelIdentity model,
        String policy,
        OptionalDouble tau,
        OptionalInt minCandidates,
        List<WorkerIntent> workers,
        Optional<Activation> activation,
        Optional<HotRule> hot,
        Optional<ShadowRule> shadow,
        Optional<SwitchbackRule> switchback,
        Optional<List<String>> names,
        Optional<Double> samplingRate,
        Optional<EngineIntent> engineSettings) {
    public PoolIntent {
        workers = List.copyOf(workers);
        names = names.map(List::copyOf);
    }

    /** Other names of the model that clients may ask for. */
    public List<String> aliases() {
        return names.orElse(List.of());
    }

    /** How the pool's engines are spoken to. */
    public EngineIntent engines() {
        return engineSettings.orElse(EngineIntent.DEFAULT);
    }

    /** With one policy, and no decoder too hot. */
    public PoolIntent(
            long id,
            String name,
            ModelIdentity model,
            String policy,
            OptionalDouble tau,
            OptionalInt minCandidates,
            List<WorkerIntent> workers,
            Optional<Activation> activation) {
        this(
                id,
                name,
                model,
                policy,
                tau,
                minCandidates,
                workers,
                activation,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
