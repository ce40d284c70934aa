package io.eldr.db.evaluation;

/** Where an evaluation stands: QUEUED -> RUNNING -> one of the others, or QUEUED -> CANCELLED. */
public enum EvaluationState {
    QUEUED,
    RUNNING,
    /** It has a report. */
    SUCCEEDED,
    FAILED,
    CANCELLED;

    /** Whether nothing comes after it. */
    public boolean isFinal() {
        return this != QUEUED && this != RUNNING;
    }
}
