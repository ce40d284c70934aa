package io.eldr.calibration.refit;

import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.db.activation.Activation;
import io.eldr.db.activation.ActivationLedger;
import io.eldr.db.artifact.Artifact;
import io.eldr.db.artifact.ArtifactRepository;
import io.eldr.db.artifact.ArtifactStore;
import io.eldr.db.refit.RefitRun;
import io.eldr.db.refit.RefitRunRepository;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** What refits have to know of the versions that there are. */
@Component
class ActiveVersions {
    private final ActivationLedger ledger;
    private final ArtifactRepository artifacts;
    private final ArtifactStore store;
    private final RefitRunRepository runs;

    ActiveVersions(
            ActivationLedger ledger, ArtifactRepository artifacts, ArtifactStore store, RefitRunRepository runs) {
        this.ledger = ledger;
        this.artifacts = artifacts;
        this.store = store;
        this.runs = runs;
    }

    /** The version that a pool serves, with its content. */
    @Transactional(readOnly = true)
    public Optional<ActiveVersion> of(long poolId) {
        return row(poolId).map(row -> new ActiveVersion(row, ArtifactCodec.decode(content(row)), madeBy(row)));
    }

    /** The slots of the version that a pool serves; empty where it serves none. */
    @Transactional(readOnly = true)
    public List<String> slots(long poolId) {
        return row(poolId).map(Artifact::slots).orElseGet(List::of);
    }

    /** Whether a pool never had a version. */
    @Transactional(readOnly = true)
    public boolean none(long poolId) {
        return artifacts.findByPoolIdOrderByVersionDesc(poolId).isEmpty();
    }

    /** The last version that was not marked as uncalibrated. */
    @Transactional(readOnly = true)
    public Optional<Artifact> lastCalibrated(long poolId) {
        return artifacts.findByPoolIdOrderByVersionDesc(poolId).stream()
                .filter(artifact -> !artifact.uncalibrated())
                .findFirst();
    }

    private Optional<Artifact> row(long poolId) {
        return ledger.current(poolId)
                .map(Activation::version)
                .flatMap(version -> artifacts.findByPoolIdAndVersion(poolId, version));
    }

    private byte[] content(Artifact row) {
        return store.content(row.poolId(), row.version()).orElseThrow().bytes();
    }

    private Optional<RefitRun> madeBy(Artifact row) {
        return row.refitRunId().isPresent() ? runs.findById(row.refitRunId().getAsLong()) : Optional.empty();
    }
}
