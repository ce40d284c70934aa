package io.eldr.db.router;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.Optional;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.Nullable;

/** One run of a router. It writes this row itself; the registry reads it. */
@Entity
@Immutable
public class RouterInstance {
    @Id
    private String id;

    private @Nullable String url;
    private Instant startedAt;
    private Instant lastSeen;

    protected RouterInstance() {}

    public String id() {
        return id;
    }

    /** Where other routers and people reach it, if it says so. */
    public Optional<String> url() {
        return Optional.ofNullable(url);
    }

    public Instant startedAt() {
        return startedAt;
    }

    /** Its last heartbeat. */
    public Instant lastSeen() {
        return lastSeen;
    }
}
