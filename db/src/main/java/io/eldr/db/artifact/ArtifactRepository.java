package io.eldr.db.artifact;

import java.util.List;
import java.util.Optional;
import org.springframework.data.repository.Repository;

/** Published artifacts of a pool. They are added by {@link ArtifactStore}. */
public interface ArtifactRepository extends Repository<Artifact, Long> {
    Optional<Artifact> findByPoolIdAndVersion(long poolId, int version);

    List<Artifact> findByPoolIdOrderByVersionDesc(long poolId);
}
