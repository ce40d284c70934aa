package io.eldr.calibration.drift;

import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.drift.DriftBaseline;
import io.eldr.db.artifact.ArtifactStore;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The references of the versions that serve. Versions never change, so each is decoded once while it is in use. */
@Component
class References {
    private static final int KEPT = 256;

    private final ArtifactStore artifacts;
    private final Map<Key, Optional<Reference>> known = new LinkedHashMap<>(KEPT, 0.75f, true);

    References(ArtifactStore artifacts) {
        this.artifacts = artifacts;
    }

    private record Key(long poolId, int version) {}

    /** Empty for a version with which drift cannot be known, because nothing was held out when it was fitted. */
    Optional<Reference> of(long poolId, int version) {
        Key key = new Key(poolId, version);
        synchronized (known) {
            if (known.containsKey(key)) {
                return known.getOrDefault(key, Optional.empty());
            }
        }
        Optional<Reference> read = artifacts
                .content(poolId, version)
                .map(content -> ArtifactCodec.decode(content.bytes()))
                .flatMap(References::reference);
        synchronized (known) {
            known.put(key, read);
            if (known.size() > KEPT) {
                known.remove(known.keySet().iterator().next());
            }
        }
        return read;
    }

    private static Optional<Reference> reference(RoutingArtifact artifact) {
        return DriftBaseline.of(artifact).map(baseline -> new Reference(baseline, artifact.slots()));
    }
}
