package io.eldr.router.pool;

import io.eldr.core.routing.ActiveArtifact;
import io.eldr.core.routing.PolicyName;
import io.eldr.core.routing.PoolState;
import io.eldr.core.routing.SnapshotVersion;
import io.eldr.core.routing.SwitchbackRule;
import io.eldr.router.artifact.LoadedArtifact;
import io.eldr.router.discovery.KnownWorker;
import io.eldr.router.intent.PoolIntent;
import io.eldr.router.intent.PoolStatus;
import io.eldr.router.worker.WorkerState;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Everything about a pool at one moment, immutable but for the loads that the view shows.
 *
 * @param artifact the one that serves
 * @param active the same, folded and bound to the live decoders
 * @param refused the activation that this router did not follow
 * @param policyName the policy in force, which is another than the wanted one where that is not known here
 * @param forDecisions the snapshot, the loads and the policy that a decision reads
 * @param rows the decoders of the snapshot, in its order
 * @param decoders all that are known, then those that left and still have requests
 * @param workers all that are known of both roles, registered or discovered, by slot
 * @param turn whose turn it is where policies take turns
 * @param shadow the policy that decides beside the live one
 * @param prefillers all that are known, then those that left and still have prompts
 */
public record ServedState(
        PoolIntent intent,
        Optional<LoadedArtifact> artifact,
        Optional<ActiveArtifact> active,
        Optional<PoolStatus.Refusal> refused,
        PolicyName policyName,
        PoolState forDecisions,
        List<DecoderRow> rows,
        List<WorkerView> decoders,
        List<KnownWorker> workers,
        Optional<SwitchbackRule.Window> turn,
        Optional<ShadowPolicy> shadow,
        List<WorkerView> prefillers) {
    public ServedState {
        rows = List.copyOf(rows);
        decoders = List.copyOf(decoders);
        workers = List.copyOf(workers);
        prefillers = List.copyOf(prefillers);
    }

    public boolean degraded() {
        return version().degraded();
    }

    /** Whether workers are shown that left. */
    boolean showsGone() {
        return Stream.concat(decoders.stream(), prefillers.stream()).anyMatch(view -> view.state() == WorkerState.GONE);
    }

    public SnapshotVersion version() {
        return forDecisions.snapshot().version();
    }

    /** What is reported of it. */
    PoolStatus status() {
        return new PoolStatus(
                intent.id(),
                intent.name(),
                artifact.map(LoadedArtifact::activation),
                artifact.map(LoadedArtifact::source).orElse(PoolStatus.Source.NONE),
                refused);
    }
}
