package io.eldr.router.artifact;

import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.router.intent.StoredArtifact;
import java.util.Optional;

/** Decides whether stored bytes are an artifact that may serve a pool. */
public final class ArtifactVerifier {

    /** What was found. */
    public sealed interface Verdict {}

    /** It may serve. */
    public record Accepted(RoutingArtifact artifact) implements Verdict {}

    /** It may not. */
    public record Refused(String reason) implements Verdict {}

    private ArtifactVerifier() {}

    /** Checks the bytes against their checksums, the structure, and the artifact against the pool's model. */
    public static Verdict verify(StoredArtifact stored, ModelIdentity pool) {
        String sha256 = ArtifactCodec.sha256Hex(stored.content());
        if (!sha256.equals(stored.sha256())) {
            return new Refused("artifact: is damaged: its SHA-256 is " + sha256 + " instead of " + stored.sha256());
        }
        try {
            RoutingArtifact artifact = ArtifactCodec.decode(stored.content());
            return misfit(artifact.model(), pool).<Verdict>map(Refused::new).orElseGet(() -> new Accepted(artifact));
        } catch (InvalidInputException e) {
            return new Refused(e.field() + ": " + e.reason());
        }
    }

    /**
     * Why an artifact of one model must not serve a pool of another; empty if it may. A revision that either side does not
     * know fits any.
     */
    public static Optional<String> misfit(ModelIdentity artifact, ModelIdentity pool) {
        if (!artifact.name().equals(pool.name())) {
            return Optional.of("model: is " + artifact.name() + " but the pool serves " + pool.name());
        }
        if (!artifact.revision().isEmpty()
                && !pool.revision().isEmpty()
                && !artifact.revision().equals(pool.revision())) {
            return Optional.of("revision: is " + artifact.revision() + " but the pool serves " + pool.revision());
        }
        if (!artifact.geometry().equals(pool.geometry())) {
            return Optional.of("geometry: is " + artifact.geometry() + " but the pool has " + pool.geometry());
        }
        return Optional.empty();
    }
}
