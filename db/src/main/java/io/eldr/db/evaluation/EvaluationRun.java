package io.eldr.db.evaluation;

import io.eldr.db.audit.Actor;
import io.eldr.db.job.JobRow;
import io.eldr.db.mapping.Checks;
import io.eldr.db.mapping.DatabaseTime;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/**
 * One evaluation, from the wish to its report. Every method that moves it on throws {@link IllegalStateException} where its
 * state does not allow that; the database refuses the same transitions, and a second RUNNING evaluation of a pool.
 */
@Entity
public class EvaluationRun implements JobRow {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private @Nullable Long id;

    private long poolId;

    @Enumerated(EnumType.STRING)
    @JdbcTypeCode(SqlTypes.VARCHAR)
    private EvaluationState state;

    private @Nullable String stage;
    private double progress;
    private int attempts;

    @JdbcTypeCode(SqlTypes.JSON)
    private String options;

    private String requestedBy;
    private @Nullable String requestedThrough;
    private Instant createdAt;
    private @Nullable Instant startedAt;
    private @Nullable Instant finishedAt;
    private @Nullable String reason;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable String report;

    @Version
    private int lockVersion;

    protected EvaluationRun() {}

    /**
     * An evaluation that waits to be run.
     *
     * @param options what to compare, a JSON object
     */
    public EvaluationRun(long poolId, String options, Actor requestedBy, Instant at) {
        this.poolId = poolId;
        this.state = EvaluationState.QUEUED;
        this.options = options;
        this.requestedBy = requestedBy.name();
        this.requestedThrough = requestedBy.through().orElse(null);
        this.createdAt = DatabaseTime.of(at);
    }

    /** QUEUED -> RUNNING. */
    public void start(Instant at) {
        require(EvaluationState.QUEUED, "start");
        state = EvaluationState.RUNNING;
        attempts = 1;
        startedAt = DatabaseTime.of(at);
    }

    /** RUNNING again from the beginning: the process that ran it is gone. */
    public void restart() {
        require(EvaluationState.RUNNING, "restart");
        attempts++;
        stage = null;
        progress = 0;
    }

    /** @param fraction of the whole, 0 to 1; never shown as less than before */
    public void progress(String reached, double fraction) {
        require(EvaluationState.RUNNING, "make progress");
        stage = Checks.text("stage", reached, 64);
        progress = Math.max(progress, Checks.range("progress", fraction, 0, 1));
    }

    public void succeed(String reportJson, Instant at) {
        require(EvaluationState.RUNNING, "succeed");
        report = reportJson;
        progress = 1;
        finish(EvaluationState.SUCCEEDED, at);
    }

    public void fail(String why, Instant at) {
        require(EvaluationState.RUNNING, "fail");
        reason = why;
        finish(EvaluationState.FAILED, at);
    }

    /** From QUEUED or RUNNING: what runs stops at its next step. */
    public void cancel(String why, Instant at) {
        if (state.isFinal()) {
            throw refusal("be cancelled");
        }
        reason = why;
        finish(EvaluationState.CANCELLED, at);
    }

    private void finish(EvaluationState end, Instant at) {
        state = end;
        finishedAt = DatabaseTime.of(at);
    }

    private void require(EvaluationState needed, String action) {
        if (state != needed) {
            throw refusal(action);
        }
    }

    private IllegalStateException refusal(String action) {
        return new IllegalStateException("an evaluation that is " + state + " cannot " + action);
    }

    /** The key; an evaluation has one once it is saved. */
    @Override
    public long id() {
        return Objects.requireNonNull(id, "the evaluation is not saved yet");
    }

    public long poolId() {
        return poolId;
    }

    public EvaluationState state() {
        return state;
    }

    @Override
    public boolean isRunning() {
        return state == EvaluationState.RUNNING;
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

    @Override
    public int revision() {
        return lockVersion;
    }

    /** A JSON object. */
    public String options() {
        return options;
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

    /** Why it failed or was cancelled. */
    public Optional<String> reason() {
        return Optional.ofNullable(reason);
    }

    /** Its figures, a JSON object. */
    public Optional<String> report() {
        return Optional.ofNullable(report);
    }
}
