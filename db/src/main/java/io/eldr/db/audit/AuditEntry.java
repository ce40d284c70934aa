package io.eldr.db.audit;

import io.eldr.db.mapping.DatabaseTime;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.hibernate.annotations.Immutable;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** One line of the audit log. */
@Entity
@Immutable
public class AuditEntry {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private @Nullable Long id;

    private Instant at;
    private String actor;
    private @Nullable String actingThrough;
    private String action;
    private @Nullable String pool;
    private String subject;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable String before;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable String after;

    protected AuditEntry() {}

    AuditEntry(Actor actor, Change change, Instant at) {
        this.at = DatabaseTime.of(at);
        this.actor = actor.name();
        this.actingThrough = actor.through().orElse(null);
        this.action = change.action();
        this.pool = change.pool().orElse(null);
        this.subject = change.subject();
        this.before = change.before().orElse(null);
        this.after = change.after().orElse(null);
    }

    /** Grows with every entry. */
    public long id() {
        return Objects.requireNonNull(id, "the entry is not saved yet");
    }

    public Instant at() {
        return at;
    }

    public Actor actor() {
        return new Actor(actor, Optional.ofNullable(actingThrough));
    }

    public Change change() {
        return new Change(
                action, Optional.ofNullable(pool), subject, Optional.ofNullable(before), Optional.ofNullable(after));
    }
}
