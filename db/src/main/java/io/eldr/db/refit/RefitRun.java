package io.eldr.db.refit;

import io.eldr.db.audit.Actor;
import io.eldr.db.job.JobRow;
import io.eldr.db.mapping.Checks;
import io.eldr.db.mapping.DatabaseTime;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/**
 * One refit, from the wish to its end. Every method that moves it on throws {@link IllegalTransitionException} where its
 * state does not allow that; the database refuses the same transitions, and a second RUNNING refit of a pool.
 */
@Entity
public class RefitRun implements JobRow {
    /** The longest cause. */
    public static final int MAX_CAUSE = 500;

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private @Nullable Long id;

    private long poolId;

    @Enumerated(EnumType.STRING)
    @JdbcTypeCode(SqlTypes.VARCHAR)
    private RefitState state;

    private @Nullable String stage;
    private double progress;
    private int attempts;

    @Convert(converter = RefitTrigger.Code.class)
    private RefitTrigger trigger;

    private @Nullable String cause;
    private boolean force;

    @JdbcTypeCode(SqlTypes.JSON)
    private String options;

    @JdbcTypeCode(SqlTypes.ARRAY)
    private @Nullable List<String> slots;

    private @Nullable Long newestSample;
    private byte @Nullable [] inputFingerprint;
    private String requestedBy;
    private @Nullable String requestedThrough;
    private Instant createdAt;
    private @Nullable Instant startedAt;
    private @Nullable Instant finishedAt;
    private @Nullable Integer version;
    private @Nullable String reason;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable String report;

    @Convert(converter = Proposal.Code.class)
    private @Nullable Proposal proposal;

    @Version
    private int lockVersion;

    protected RefitRun() {}

    /**
     * A refit that waits to be run.
     *
     * @param force whether it is published whatever the gate says
     * @param options how to fit, a JSON object
     */
    public RefitRun(long poolId, RefitTrigger trigger, boolean force, String options, Actor requestedBy, Instant at) {
        this.poolId = poolId;
        this.state = RefitState.QUEUED;
        this.trigger = trigger;
        this.force = force;
        this.options = options;
        this.requestedBy = requestedBy.name();
        this.requestedThrough = requestedBy.through().orElse(null);
        this.createdAt = DatabaseTime.of(at);
    }

    /**
     * Says more about why it is asked for, before it is saved.
     *
     * @param why in words; empty where the trigger says it all
     * @param decoders for which it is asked; empty where it takes those that there are when it runs
     * @param largestId of the samples for which it is asked; empty where it takes those that there are when it runs
     */
    public RefitRun because(Optional<String> why, List<String> decoders, OptionalLong largestId) {
        require(RefitState.QUEUED, "be given a cause");
        cause = Checks.text("cause", why, MAX_CAUSE);
        slots = decoders.isEmpty() ? null : List.copyOf(decoders);
        newestSample = largestId.isPresent() ? Long.valueOf(largestId.getAsLong()) : null;
        return this;
    }

    /** QUEUED -> RUNNING. */
    public void start(Instant at) {
        require(RefitState.QUEUED, "start");
        state = RefitState.RUNNING;
        attempts = 1;
        startedAt = DatabaseTime.of(at);
    }

    /** RUNNING again from the beginning: the process that ran it is gone. */
    public void restart() {
        require(RefitState.RUNNING, "restart");
        attempts++;
        stage = null;
        progress = 0;
    }

    /** @param fraction of the whole refit, 0 to 1; never shown as less than before */
    public void progress(String reached, double fraction) {
        require(RefitState.RUNNING, "make progress");
        stage = Checks.text("stage", reached, 64);
        progress = Math.max(progress, Checks.range("progress", fraction, 0, 1));
    }

    /** @param decoders that it makes clusters for */
    public void takeSlots(List<String> decoders) {
        require(RefitState.RUNNING, "take its slots");
        slots = List.copyOf(decoders);
    }

    /** @param largestId of the samples that it read */
    public void takeSamples(long largestId) {
        require(RefitState.RUNNING, "take its samples");
        newestSample = largestId;
    }

    /** @param sha256 over samples, slots and options, 32 bytes */
    public void fingerprint(byte[] sha256) {
        require(RefitState.RUNNING, "take its inputs");
        if (sha256.length != 32) {
            throw new IllegalArgumentException("a SHA-256 has 32 bytes, not " + sha256.length);
        }
        inputFingerprint = sha256.clone();
    }

    /** @param published the version that it published */
    public void succeed(int published, String reportJson, Instant at) {
        require(RefitState.RUNNING, "succeed");
        version = published;
        report = reportJson;
        progress = 1;
        finish(RefitState.SUCCEEDED, at);
    }

    /** Its version waits for somebody to approve it. */
    public void propose() {
        require(RefitState.SUCCEEDED, "propose its version");
        proposal = Proposal.OPEN;
    }

    /** @param decision what became of the version that it proposed */
    public void decide(Proposal decision) {
        if (proposal != Proposal.OPEN) {
            throw new IllegalStateException("refit " + id + " proposes nothing");
        }
        proposal = decision;
    }

    public void reject(String why, Optional<String> reportJson, Instant at) {
        require(RefitState.RUNNING, "be rejected");
        reason = why;
        report = reportJson.orElse(null);
        finish(RefitState.REJECTED, at);
    }

    public void fail(String why, Instant at) {
        require(RefitState.RUNNING, "fail");
        reason = why;
        finish(RefitState.FAILED, at);
    }

    /** From QUEUED or RUNNING: what runs stops at its next step. */
    public void cancel(Optional<String> why, Instant at) {
        if (state.isFinal()) {
            throw new IllegalTransitionException(state, "be cancelled");
        }
        reason = why.orElse(null);
        finish(RefitState.CANCELLED, at);
    }

    private void finish(RefitState end, Instant at) {
        state = end;
        finishedAt = DatabaseTime.of(at);
    }

    private void require(RefitState needed, String action) {
        if (state != needed) {
            throw new IllegalTransitionException(state, action);
        }
    }

    /** The key; a refit has one once it is saved. */
    @Override
    public long id() {
        return Objects.requireNonNull(id, "the refit is not saved yet");
    }

    public long poolId() {
        return poolId;
    }

    public RefitState state() {
        return state;
    }

    @Override
    public boolean isRunning() {
        return state == RefitState.RUNNING;
    }

    @Override
    public boolean isOver() {
        return state.isFinal();
    }

    /** What it is doing, or was doing last. */
    public Optional<String> stage() {
        return Optional.ofNullable(stage);
    }

    public double progress() {
        return progress;
    }

    @Override
    public int attempts() {
        return attempts;
    }

    public RefitTrigger trigger() {
        return trigger;
    }

    /** In words, where the trigger alone does not say it. */
    public Optional<String> cause() {
        return Optional.ofNullable(cause);
    }

    /** The decoders that it makes clusters for; empty until they are known. */
    public List<String> slots() {
        return slots == null ? List.of() : List.copyOf(slots);
    }

    /** The largest id of the samples that it read, or for which it was asked; empty until it is known. */
    public OptionalLong newestSample() {
        return newestSample == null ? OptionalLong.empty() : OptionalLong.of(newestSample);
    }

    /** What became of its version, where that was not activated by itself. */
    public Optional<Proposal> proposal() {
        return Optional.ofNullable(proposal);
    }

    @Override
    public int revision() {
        return lockVersion;
    }

    public boolean force() {
        return force;
    }

    /** A JSON object. */
    public String options() {
        return options;
    }

    /** The SHA-256 of its inputs in hex, once they were read. */
    public Optional<String> inputFingerprint() {
        return Optional.ofNullable(inputFingerprint).map(HexFormat.of()::formatHex);
    }

    public Actor requestedBy() {
        return new Actor(requestedBy, Optional.ofNullable(requestedThrough));
    }

    public Instant createdAt() {
        return createdAt;
    }

    public Optional<Instant> startedAt() {
        return Optional.ofNullable(startedAt);
    }

    public Optional<Instant> finishedAt() {
        return Optional.ofNullable(finishedAt);
    }

    /** The version that it published, if it succeeded. */
    public OptionalInt version() {
        return version == null ? OptionalInt.empty() : OptionalInt.of(version);
    }

    /** Why it was rejected, failed or was cancelled. */
    public Optional<String> reason() {
        return Optional.ofNullable(reason);
    }

    /** Its figures, a JSON object. */
    public Optional<String> report() {
        return Optional.ofNullable(report);
    }
}
