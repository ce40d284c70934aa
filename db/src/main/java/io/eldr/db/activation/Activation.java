package io.eldr.db.activation;

import io.eldr.db.audit.Actor;
import io.eldr.db.mapping.Checks;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.Optional;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.Nullable;

/** A line of a pool's ledger: from {@link #activatedAt} on, and until the next line, it serves {@link #version}. */
@Entity
@Immutable
public class Activation {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private @Nullable Long id;

    private long poolId;
    private long generation;
    private int version;

    @Convert(converter = ActivationKind.Code.class)
    private ActivationKind kind;

    private String actor;
    private @Nullable String actingThrough;
    private @Nullable String reason;
    private Instant activatedAt;

    protected Activation() {}

    Activation(
            long poolId,
            long generation,
            int version,
            ActivationKind kind,
            Actor actor,
            Optional<String> reason,
            Instant activatedAt) {
        this.poolId = poolId;
        this.generation = generation;
        this.version = version;
        this.kind = kind;
        this.actor = actor.name();
        this.actingThrough = actor.through().orElse(null);
        this.reason = Checks.text("reason", reason, 2_000);
        this.activatedAt = activatedAt;
    }

    public long poolId() {
        return poolId;
    }

    /** 1, 2, .. within a pool's name, without gaps. */
    public long generation() {
        return generation;
    }

    public int version() {
        return version;
    }

    public ActivationKind kind() {
        return kind;
    }

    public Actor actor() {
        return new Actor(actor, Optional.ofNullable(actingThrough));
    }

    public Optional<String> reason() {
        return Optional.ofNullable(reason);
    }

    public Instant activatedAt() {
        return activatedAt;
    }
}
