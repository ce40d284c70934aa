package io.eldr.calibration.refit;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.db.artifact.Artifact;
import io.eldr.db.refit.RefitRun;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The version that a pool serves while another one is fitted.
 *
 * @param madeBy the refit that made it; empty for an import
 */
record ActiveVersion(Artifact row, RoutingArtifact artifact, Optional<RefitRun> madeBy) {
    int number() {
        return row.version();
    }

    /** Whether it has clusters for these decoders and no others. */
    boolean serves(List<String> decoders) {
        return Set.copyOf(row.slots()).equals(Set.copyOf(decoders));
    }

    /** Whether its refit had these inputs. */
    boolean isOf(String fingerprint) {
        return madeBy.flatMap(RefitRun::inputFingerprint).equals(Optional.of(fingerprint));
    }

    /** Whether a sample came in after the fit of this version had read its own. */
    boolean isOlderThan(long sample, Instant createdAt) {
        OptionalLong newest = madeBy.map(RefitRun::newestSample).orElseGet(OptionalLong::empty);
        if (newest.isPresent()) {
            return sample > newest.getAsLong();
        }
        return createdAt.isAfter(madeBy.flatMap(RefitRun::startedAt).orElse(row.createdAt()));
    }
}
