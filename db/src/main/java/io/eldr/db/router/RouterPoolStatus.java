package io.eldr.db.router;

import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.Nullable;

/** What a router runs for a pool, and what it refused. It writes this row itself; the registry reads it. */
@Entity
@Immutable
@IdClass(RouterPoolStatusKey.class)
public class RouterPoolStatus {
    @Id
    private String routerId;

    @Id
    private long poolId;

    private @Nullable Long generation;
    private @Nullable Integer artifactVersion;

    @Convert(converter = ArtifactSource.Code.class)
    private ArtifactSource source;

    private @Nullable Long nackGeneration;
    private @Nullable String nackReason;
    private Instant updatedAt;

    protected RouterPoolStatus() {}

    /** A generation that was not taken, and why. */
    public record Nack(long generation, String reason) {}

    public String routerId() {
        return routerId;
    }

    public long poolId() {
        return poolId;
    }

    /** The generation that it runs; empty if it runs none. */
    public OptionalLong generation() {
        return generation == null ? OptionalLong.empty() : OptionalLong.of(generation);
    }

    public OptionalInt artifactVersion() {
        return artifactVersion == null ? OptionalInt.empty() : OptionalInt.of(artifactVersion);
    }

    public ArtifactSource source() {
        return source;
    }

    public Optional<Nack> nack() {
        return nackGeneration == null || nackReason == null
                ? Optional.empty()
                : Optional.of(new Nack(nackGeneration, nackReason));
    }

    public Instant updatedAt() {
        return updatedAt;
    }
}
