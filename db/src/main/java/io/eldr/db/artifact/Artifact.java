package io.eldr.db.artifact;

import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.Representation;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.hibernate.annotations.Immutable;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** A published artifact without its content, which {@link ArtifactStore#content} reads. */
@Entity
@Immutable
public class Artifact {
    @Id
    private long id;

    private long poolId;
    private int version;

    @Column(name = "sha256")
    private byte[] sha256;

    private long sizeBytes;
    private String model;
    private @Nullable String modelRevision;
    private int layers;
    private int experts;

    @Column(name = "top_k")
    private int topK;

    private String representation;

    @JdbcTypeCode(SqlTypes.ARRAY)
    private List<Integer> mask;

    @JdbcTypeCode(SqlTypes.ARRAY)
    private List<String> slots;

    private double recommendedTau;
    private boolean uncalibrated;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable String report;

    private @Nullable Long refitRunId;
    private Instant createdAt;
    private String createdBy;

    protected Artifact() {}

    public long poolId() {
        return poolId;
    }

    /** 1, 2, .. within the pool. */
    public int version() {
        return version;
    }

    /** Of the content, in hex. */
    public String sha256() {
        return HexFormat.of().formatHex(sha256);
    }

    /** The size of the content. */
    public long sizeBytes() {
        return sizeBytes;
    }

    public ModelIdentity model() {
        return new ModelIdentity(
                model, Optional.ofNullable(modelRevision).orElse(""), new Geometry(layers, experts, topK));
    }

    public Representation representation() {
        return Representation.of("representation", representation);
    }

    public List<Integer> mask() {
        return List.copyOf(mask);
    }

    public List<String> slots() {
        return List.copyOf(slots);
    }

    public double recommendedTau() {
        return recommendedTau;
    }

    public boolean uncalibrated() {
        return uncalibrated;
    }

    /** Figures of the refit, a JSON object. */
    public Optional<String> report() {
        return Optional.ofNullable(report);
    }

    /** The refit that made it; empty for an import. */
    public OptionalLong refitRunId() {
        return refitRunId == null ? OptionalLong.empty() : OptionalLong.of(refitRunId);
    }

    public Instant createdAt() {
        return createdAt;
    }

    public String createdBy() {
        return createdBy;
    }
}
