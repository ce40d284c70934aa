package io.eldr.calibration.artifact;

import io.eldr.calibration.audit.Audit;
import io.eldr.calibration.telemetry.CalibrationMetrics;
import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.db.artifact.Artifact;
import io.eldr.db.artifact.ArtifactContent;
import io.eldr.db.artifact.ArtifactStore;
import io.eldr.db.artifact.NewArtifact;
import io.eldr.db.audit.Actor;
import io.eldr.db.pool.Pool;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import java.util.Optional;
import java.util.OptionalLong;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Publishes artifacts as the pool's next version, within the caller's transaction. */
@Service
public class Publisher {
    private final ArtifactStore store;
    private final Audit audit;
    private final CalibrationMetrics metrics;

    Publisher(ArtifactStore store, Audit audit, CalibrationMetrics metrics) {
        this.store = store;
        this.audit = audit;
        this.metrics = metrics;
    }

    /** What a refit knows of an artifact beside itself. */
    public record Provenance(long refit, boolean uncalibrated, String report) {}

    /** @param provenance empty for an import */
    @Transactional(propagation = Propagation.MANDATORY)
    public Artifact publish(Pool pool, RoutingArtifact artifact, Optional<Provenance> provenance, Actor actor) {
        String author = actor.through()
                .map(service -> actor.name() + " (" + service + ")")
                .orElse(actor.name());
        NewArtifact fresh = new NewArtifact(
                artifact,
                ArtifactContent.of(ArtifactCodec.encode(artifact)),
                provenance.map(Provenance::uncalibrated).orElse(false),
                provenance.map(Provenance::report),
                provenance.map(known -> OptionalLong.of(known.refit())).orElseGet(OptionalLong::empty),
                author);
        Artifact published = store.publish(pool.id(), fresh)
                .orElseThrow(() -> Problems.exception(
                        ProblemType.NOT_FOUND, "The pool '" + pool.name() + "' was deleted just now."));
        audit.record(
                actor,
                provenance.isPresent() ? "artifact.publish" : "artifact.import",
                pool.name(),
                "version " + published.version(),
                Optional.empty(),
                Optional.of(ArtifactView.brief(pool.name(), published, false)));
        CalibrationMetrics.Origin origin =
                provenance.isPresent() ? CalibrationMetrics.Origin.REFIT : CalibrationMetrics.Origin.IMPORT;
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                metrics.published(origin);
            }
        });
        return published;
    }
}
