package io.eldr.db.worker;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.mapping.Checks;
import io.eldr.db.mapping.DatabaseTime;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A declared slot of a pool: a decoder or prefiller with a stable name, and whether it is wanted to serve. */
@Entity
public class Worker {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private @Nullable Long id;

    private long poolId;
    private String slot;

    @Convert(converter = WorkerRole.Code.class)
    private WorkerRole role;

    private String url;
    private double weight;
    private @Nullable Integer maxInFlight;

    @Convert(converter = Probe.Code.class)
    private Probe probe;

    private @Nullable String revision;

    @Convert(converter = WorkerSource.Code.class)
    private WorkerSource source;

    @Convert(converter = DesiredState.Code.class)
    private DesiredState desiredState;

    private Instant createdAt;
    private Instant updatedAt;

    @Version
    private int lockVersion;

    protected Worker() {}

    /** @throws InvalidInputException naming {@code slot} if it is refused */
    public Worker(long poolId, String slot, WorkerSpec spec, WorkerSource source, Instant at) {
        this.poolId = poolId;
        this.slot = Checks.text("slot", slot, 253);
        this.role = spec.role();
        this.url = spec.url();
        this.weight = spec.weight();
        this.maxInFlight = boxed(spec.maxInFlight());
        this.probe = spec.probe();
        this.revision = spec.revision().orElse(null);
        this.source = source;
        this.desiredState = DesiredState.SERVING;
        this.createdAt = DatabaseTime.of(at);
        this.updatedAt = createdAt;
    }

    /** Declares the slot anew. A drain goes on. */
    public void redeclare(WorkerSpec spec, WorkerSource by, Instant at) {
        role = spec.role();
        url = spec.url();
        weight = spec.weight();
        maxInFlight = boxed(spec.maxInFlight());
        probe = spec.probe();
        revision = spec.revision().orElse(null);
        source = by;
        updatedAt = DatabaseTime.of(at);
    }

    public void drain(Instant at) {
        desiredState = DesiredState.DRAINING;
        updatedAt = DatabaseTime.of(at);
    }

    /** Ends a drain. */
    public void resume(Instant at) {
        desiredState = DesiredState.SERVING;
        updatedAt = DatabaseTime.of(at);
    }

    private static @Nullable Integer boxed(OptionalInt value) {
        return value.isPresent() ? value.getAsInt() : null;
    }

    /** The key; a worker has one once it is saved. */
    public long id() {
        return Objects.requireNonNull(id, "the worker is not saved yet");
    }

    public long poolId() {
        return poolId;
    }

    public String slot() {
        return slot;
    }

    public WorkerSpec spec() {
        return new WorkerSpec(
                role,
                url,
                weight,
                maxInFlight == null ? OptionalInt.empty() : OptionalInt.of(maxInFlight),
                probe,
                Optional.ofNullable(revision));
    }

    public WorkerSource source() {
        return source;
    }

    public DesiredState desiredState() {
        return desiredState;
    }

    public Instant createdAt() {
        return createdAt;
    }

    public Instant updatedAt() {
        return updatedAt;
    }
}
