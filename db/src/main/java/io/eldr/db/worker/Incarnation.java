package io.eldr.db.worker;

import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import java.time.Instant;
import org.hibernate.annotations.Immutable;

/** A slot as one process run, as routers saw it. Routers write these rows; the registry reads them. */
@Entity
@Immutable
@IdClass(IncarnationKey.class)
public class Incarnation {
    @Id
    private long poolId;

    @Id
    private String slot;

    @Id
    private String uid;

    @Convert(converter = WorkerRole.Code.class)
    private WorkerRole role;

    private String url;
    private Instant firstSeen;
    private Instant lastSeen;
    private String seenBy;

    protected Incarnation() {}

    public long poolId() {
        return poolId;
    }

    public String slot() {
        return slot;
    }

    /** The pod's uid, or a counter of starts. */
    public String uid() {
        return uid;
    }

    public WorkerRole role() {
        return role;
    }

    public String url() {
        return url;
    }

    public Instant firstSeen() {
        return firstSeen;
    }

    public Instant lastSeen() {
        return lastSeen;
    }

    /** The router instance that saw it last. */
    public String seenBy() {
        return seenBy;
    }
}
