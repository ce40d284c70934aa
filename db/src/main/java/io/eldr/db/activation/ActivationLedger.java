package io.eldr.db.activation;

import io.eldr.db.activation.ActivationOutcome.Activated;
import io.eldr.db.activation.ActivationOutcome.AlreadyActive;
import io.eldr.db.activation.ActivationOutcome.NothingBefore;
import io.eldr.db.activation.ActivationOutcome.UnknownPool;
import io.eldr.db.activation.ActivationOutcome.UnknownVersion;
import io.eldr.db.artifact.ArtifactRepository;
import io.eldr.db.audit.Actor;
import io.eldr.db.mapping.DatabaseTime;
import io.eldr.db.pool.PoolRepository;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Which artifact version each pool serves, since when, and who decided it: an append-only ledger. Each activation and
 * each rollback takes the pool's next generation under the pool's lock, so that generations have neither gaps nor
 * doubles. Times never run backwards along the generations, whatever the clocks of the replicas say.
 */
@Component
public class ActivationLedger {
    private final ActivationRepository activations;
    private final ArtifactRepository artifacts;
    private final PoolRepository pools;
    private final InstantSource clock;

    ActivationLedger(
            ActivationRepository activations, ArtifactRepository artifacts, PoolRepository pools, InstantSource clock) {
        this.activations = activations;
        this.artifacts = artifacts;
        this.pools = pools;
        this.clock = clock;
    }

    @Transactional
    public ActivationOutcome activate(long poolId, int version, Actor actor, Optional<String> reason) {
        return pools.lock(poolId)
                .map(name -> append(poolId, name, version, ActivationKind.ACTIVATE, actor, reason))
                .orElseGet(UnknownPool::new);
    }

    /**
     * @param version where to go back to; empty: the version that was served before the current one. After a rollback that
     *     is the one before the current version's first activation, never the one that was rolled back from.
     */
    @Transactional
    public ActivationOutcome rollBack(long poolId, OptionalInt version, Actor actor, Optional<String> reason) {
        Optional<String> name = pools.lock(poolId);
        if (name.isEmpty()) {
            return new UnknownPool();
        }
        OptionalInt target = version.isPresent() ? version : versionBefore(poolId);
        if (target.isEmpty()) {
            return new NothingBefore();
        }
        return append(poolId, name.get(), target.getAsInt(), ActivationKind.ROLLBACK, actor, reason);
    }

    private ActivationOutcome append(
            long poolId, String name, int version, ActivationKind kind, Actor actor, Optional<String> reason) {
        if (artifacts.findByPoolIdAndVersion(poolId, version).isEmpty()) {
            return new UnknownVersion(version);
        }
        Optional<Activation> current = current(poolId);
        if (current.isPresent() && current.get().version() == version) {
            return new AlreadyActive(current.get());
        }
        Instant now = DatabaseTime.of(clock.instant());
        Instant at = current.map(Activation::activatedAt).filter(now::isBefore).orElse(now);
        long generation = activations.lastGeneration(name) + 1;
        return new Activated(
                activations.saveAndFlush(new Activation(poolId, generation, version, kind, actor, reason, at)));
    }

    private OptionalInt versionBefore(long poolId) {
        return current(poolId)
                .flatMap(this::firstServed)
                .flatMap(from -> activations.findFirstByPoolIdAndGenerationLessThanOrderByGenerationDesc(
                        poolId, from.generation()))
                .map(before -> OptionalInt.of(before.version()))
                .orElse(OptionalInt.empty());
    }

    /** The line by which the current version came: a rollback only returned to it. */
    private Optional<Activation> firstServed(Activation current) {
        return switch (current.kind()) {
            case ACTIVATE -> Optional.of(current);
            case ROLLBACK ->
                activations.findFirstByPoolIdAndVersionOrderByGenerationAsc(current.poolId(), current.version());
        };
    }

    /** What the pool serves now; empty if nothing was ever activated. */
    @Transactional(readOnly = true)
    public Optional<Activation> current(long poolId) {
        return activations.findFirstByPoolIdOrderByGenerationDesc(poolId);
    }

    /** The largest version that the pool ever served; 0 if nothing was ever activated. */
    @Transactional(readOnly = true)
    public int largestServed(long poolId) {
        return activations.largestVersion(poolId);
    }

    /** What the pool served at that time; empty if nothing was activated by then. */
    @Transactional(readOnly = true)
    public Optional<Activation> activeAt(long poolId, Instant at) {
        return activations.findFirstByPoolIdAndActivatedAtLessThanEqualOrderByActivatedAtDescGenerationDesc(poolId, at);
    }

    /** The newest lines, newest first. */
    @Transactional(readOnly = true)
    public List<Activation> history(long poolId, int limit) {
        return activations.findByPoolIdOrderByGenerationDesc(poolId, Limit.of(limit));
    }
}
